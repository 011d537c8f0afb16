// Package openapi reads OpenAPI documents of version 3, in JSON and YAML: their values
// with places, references from file to file, and the operations of their paths.
//
// Nothing is fetched: a reference leads to a file below the folder of the document, and
// what cannot be read is noted. What a document means, beside where its parts are, is
// the business of those who ask.
package openapi
