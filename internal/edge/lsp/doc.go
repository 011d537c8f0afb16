// Package lsp answers editors by the Language Server Protocol, version 3.17: what lint
// finds in the open documents, with its fixes, what the options of a command do, and
// commands as programs.
//
// The protocol goes over two streams. A goroutine reads messages ahead, and everything
// else happens in one loop, so no state is shared: a message that waits interrupts the
// check of a document, whose answer would be about a text that may be no more. The server
// reads no files and opens no connections; the editor passes the text of each document.
package lsp
