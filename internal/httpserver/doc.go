// Package httpserver runs an HTTP server that strangers may connect to: it
// bounds how many connections are open, over all and for each client, and
// stops without losing a request.
//
// It knows nothing of what the server answers.
package httpserver
