package javascript

import (
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// valueHelper returns the name of the function of the program that encodes a value for its
// place, or "" for an encoding without one.
func valueHelper(p *plan.Program, encoding request.Encoding) string {
	switch encoding {
	case plan.Segment:
		p.Help(typedHelper(p, pathSegment))
		return "pathSegment"
	case plan.Segments:
		p.Help(typedHelper(p, pathSegment))
		p.Help(typedHelper(p, pathSegments))
		return "pathSegments"
	case plan.JSONElements:
		p.Help(typedHelper(p, jsonElements))
		return "jsonElements"
	case plan.JSONValue:
		p.Help(typedHelper(p, jsonValue))
		return "jsonValue"
	}
	return ""
}

// The functions of programs that encode a value for its place.
const (
	pathSegment = `/** Encode a value as one segment of a path. */
function pathSegment(value) {
  if (value === "." || value === "..") throw new Error(` + "`a segment of the path is ${value}`" + `);
  return encodeURIComponent(value);
}`
	pathSegments = `/** Encode a value as segments of a path, between its slashes. */
function pathSegments(value) {
  return value.split("/").map(pathSegment).join("/");
}`
	jsonElements = `/** Return the elements of an array of JSON: a list, or a text that has them. */
function jsonElements(value) {
  const elements = typeof value === "string" ? JSON.parse(` + "`[${value}]`" + `) : [value].flat();
  return JSON.stringify(elements).slice(1, -1);
}`
	jsonValue = `/** Return a value as JSON. A text is JSON already, or an error. */
function jsonValue(value) {
  return JSON.stringify(typeof value === "string" ? JSON.parse(value) : value);
}`
)
