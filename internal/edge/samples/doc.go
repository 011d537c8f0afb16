// Package samples writes programs into an OpenAPI document, as x-codeSamples of its
// operations.
//
// Each operation becomes the curl command that sends it, with the examples of the
// document and variables where it has none, and the command becomes a program for each
// target as everywhere else. The rest of the document keeps its bytes: the samples are
// edits at places of the text.
package samples
