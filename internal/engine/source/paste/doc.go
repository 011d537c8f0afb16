// Package paste knows what copying adds to a text, depending on where it was
// copied: prompts and output of a terminal, the prose and the fences of
// Markdown, typographic quotes, the entities of HTML, and the commands that
// run other commands.
//
// The readers of the shells ask it while they read, so that what is pasted is
// understood at its place, and data stays as it is.
package paste
