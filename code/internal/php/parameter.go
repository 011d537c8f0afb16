package php

import (
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/request"
)

// helped returns a call of the function that encodes a value for its place.
func helped(p *plan.Program, encoding request.Encoding, expr string) string {
	name := "pathSegment"
	switch encoding {
	case plan.Segments:
		name = "pathSegments"
		p.Help(pathSegment)
		p.Help(pathSegments)
	case plan.JSONValue:
		name = "jsonValue"
		helpJSON(p, jsonValue, "json_encode($value, JSON_THROW_ON_ERROR)")
	case plan.JSONElements:
		name = "jsonElements"
		helpJSON(p, jsonElements, "substr(json_encode(array_values((array) $value), JSON_THROW_ON_ERROR), 1, -1)")
	case plan.FieldText:
		name = "fieldText"
		p.Help(fieldText)
	default:
		p.Help(pathSegment)
	}
	return name + "(" + expr + ")"
}

// helpJSON adds a function that returns JSON. Parameters of functions are values of any kind, for
// which it returns an expression; variables of the environment are text.
func helpJSON(p *plan.Program, function, encoded string) {
	if p.IsFunction() {
		function = strings.Replace(function, "(string $value): string\n{\n", "(mixed $value): string\n{\n    if (!is_string($value)) {\n        return "+encoded+";\n    }\n", 1)
	}
	p.Help(function)
}

// The functions of programs that encode a value for its place.
const (
	pathSegment = `/** Encodes a value as one segment of a path. */
function pathSegment(string $value): string
{
    if ($value === '.' || $value === '..') {
        throw new InvalidArgumentException('a segment of the path is ' . $value);
    }
    return rawurlencode($value);
}`
	pathSegments = `/** Encodes a value as segments of a path, between its slashes. */
function pathSegments(string $value): string
{
    return implode('/', array_map('pathSegment', explode('/', $value)));
}`
	jsonValue = `/** Returns a value that is JSON already; another is an error. */
function jsonValue(string $value): string
{
    json_decode($value, flags: JSON_THROW_ON_ERROR);
    return $value;
}`
	jsonElements = `/** Returns the elements of an array of JSON; others are an error. */
function jsonElements(string $value): string
{
    json_decode('[' . $value . ']', flags: JSON_THROW_ON_ERROR);
    return $value;
}`
	fieldText = `/** Returns the value of a header field, which has no line breaks. */
function fieldText(string $value): string
{
    if (strpbrk($value, "\r\n") !== false) {
        throw new InvalidArgumentException('a header field has a line break');
    }
    return $value;
}`
)
