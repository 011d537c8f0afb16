// Package curl is curl's command line: which options there are, and what a
// list of arguments means.
//
// [ParseArgs] follows src/tool_getparam.c of curl 8.22. It returns operations
// (the settings between two --next) whose settings stay in command order;
// which of them wins is for package transfer to know. Configuration files (-K)
// and variables (--variable, --expand-…) are resolved here, because they
// decide what the settings are.
package curl

// Version is the curl whose behaviour uncoil has.
const Version = "8.22.0"
