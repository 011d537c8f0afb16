// Package engine takes the text of a command through the stages and writes the answers
// that need no other package: the four members and the full description. The library
// and the edges stand on it: the package at the root of the module for programs,
// internal/edge for the service, the command line and the browser.
//
// The stages are packages below it, in the order source, curl, transfer, check and
// render. One [meter.Meter] goes with a conversion through all of them.
package engine
