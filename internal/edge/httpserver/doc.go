// Package httpserver runs an HTTP server for untrusted clients. It limits the
// open connections, in total and for each client, and stops without losing a
// request. It is independent of what the server answers.
package httpserver
