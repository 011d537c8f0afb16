//go:build nocode

package code

// targets is empty in a build with the tag nocode, which leaves out the files of
// all targets: they would be half of the engine with which the page answers
// first.
var targets []Target

const hasTargets = false
