// Package contract holds requests against an OpenAPI document: the path, the
// method, the parameters, the content and the credentials of each, and the examples
// of the document itself against their schemas.
//
// A document is read from files of JSON and YAML. Nothing of it is fetched: a
// reference to another host stands for a schema that takes every value. What a
// document leaves open, and a placeholder in place of a value, is no finding.
package contract
