// Package source turns pasted text into commands of words.
//
// [Split] reads the text in one dialect, or detects the dialect. Each dialect has a
// reader in a package of its own: posix, cmd and powershell for shells; har, rawhttp
// and fetch for requests that are written down otherwise, which these readers
// translate into the command that sends them. So do httpfile, postman and httpie, for
// programs that import package readers.
//
// Text that was copied from a terminal, a page or a Markdown document brings
// prompts, output and prose along; see [paste.Origin]. [Decode] first undoes what
// was done to the text as a whole, such as escaping it for HTML.
//
// Nothing is ever run. An unknown variable keeps its spelling and is marked by a
// [Hole]; a command substitution stays text.
package source
