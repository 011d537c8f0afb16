// Package source turns pasted text into commands of words.
//
// [Split] reads the text in one dialect, or detects the dialect. Each dialect has a
// reader in a package of its own: posix, cmd and powershell for shells; and one for each
// [Form] and [OtherProgram] in which requests are written down otherwise, which translates
// them into the command that sends them. Package readers registers those that not every
// program has.
//
// Text that was copied from a terminal, a page or a Markdown document brings
// prompts, output and prose along; see [paste.Origin]. [Decode] first undoes what
// was done to the text as a whole, such as escaping it for HTML.
//
// Nothing is ever run. An unknown variable keeps its spelling and is marked by a
// [Hole]; a command substitution stays text.
package source
