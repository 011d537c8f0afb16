// Package curl is curl's command line: which options there are, and what a
// list of arguments says.
//
// [ParseArgs] follows src/tool_getparam.c of curl 8.22. It yields operations
// (the settings between two --next) whose settings stay in command order;
// what they come to, and which of them wins, is for the build package to
// know. Configuration files (-K) and variables (--variable, --expand-…) are
// resolved here, since they decide what the settings are.
package curl
