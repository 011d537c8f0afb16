// Package beam converts curl commands in pipelines of Apache Beam: the lines of
// uncoil batch, on as many machines as a runner has.
//
// The transforms keep no state and read nothing but their elements, so a runner
// may repeat any bundle that fails.
//
// Their metrics, in the namespace uncoil, are counters: lines, failures, a
// failures/CODE for each code of a problem, a dialect/NAME for each way in which
// commands were read, texts and commands.
package beam
