package jvm

import (
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// A values has the functions of programs of a language that encode a value for its place.
type values struct{ pathSegment, pathSegments, jsonText, jsonValue, jsonElements, fieldText string }

// helped returns a call of the function that encodes a value for its place.
func helped(p *plan.Program, encoding request.Encoding, expr string) string {
	functions, name := &javaValues, "pathSegment"
	if p.Target.Language == "kotlin" {
		functions = &kotlinValues
	}
	switch encoding {
	case request.EncodingJSON:
		name = "jsonText"
		p.Help(functions.jsonText)
	case plan.JSONValue:
		name = "jsonValue"
		p.Help(functions.jsonValue)
	case plan.JSONElements:
		name = "jsonElements"
		p.Help(functions.jsonValue)
		p.Help(functions.jsonElements)
	case plan.FieldText:
		name = "fieldText"
		p.Help(functions.fieldText)
	default:
		p.Use("java.net.URLEncoder")
		p.Use("java.nio.charset.StandardCharsets")
		p.Help(functions.pathSegment)
		if encoding == plan.Segments {
			name = "pathSegments"
			p.Help(functions.pathSegments)
			if functions == &javaValues {
				p.Use("java.util.stream.Collectors")
				p.Use("java.util.stream.Stream")
			}
		}
	}
	return name + "(" + expr + ")"
}

// Neither language reads JSON by itself: jsonValue replaces strings by "" and other scalars by
// 0, and then arrays and objects of these by 0, until nothing changes.
var javaValues = values{
	pathSegment: `/** Encodes a value as one segment of a path. */
private static String pathSegment(String value) {
    if (value.equals(".") || value.equals("..")) {
        throw new IllegalArgumentException("a segment of the path is " + value);
    }
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
}`,
	pathSegments: `/** Encodes a value as segments of a path, between its slashes. */
private static String pathSegments(String value) {
    return Stream.of(value.split("/", -1))
        .map(segment -> pathSegment(segment))
        .collect(Collectors.joining("/"));
}`,
	jsonText: `/** Encodes a value for a string of JSON. */
private static String jsonText(String value) {
    var text = new StringBuilder();
    for (char c : value.toCharArray()) {
        if (c == '"' || c == '\\') {
            text.append('\\').append(c);
        } else if (c < ' ') {
            text.append(String.format("\\u%04x", (int) c));
        } else {
            text.append(c);
        }
    }
    return text.toString();
}`,
	jsonValue: `/** Returns a value that is JSON already; another is an error. */
private static String jsonValue(String value) {
    var one = "\\s*+(?:0|\"\")\\s*+";
    var member = "\\s*+\"\"\\s*+:" + one;
    var rest = value
        .replaceAll("\"(?:[^\"\\\\\\x00-\\x1f]++|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+\"", "\"\"")
        .replaceAll("-?(?:0|[1-9]\\d*+)(?:\\.\\d++)?+(?:[eE][+-]?\\d++)?+|true|false|null", "0");
    for (var before = ""; !before.equals(rest); ) {
        before = rest;
        rest = rest
            .replaceAll("\\[(?:\\s*+|" + one + "(?:," + one + ")*+)\\]", "0")
            .replaceAll("\\{(?:\\s*+|" + member + "(?:," + member + ")*+)\\}", "0");
    }
    if (!rest.matches(one)) {
        throw new IllegalArgumentException("a parameter is no JSON");
    }
    return value;
}`,
	jsonElements: `/** Returns the elements of an array of JSON; others are an error. */
private static String jsonElements(String value) {
    jsonValue("[" + value + "]");
    return value;
}`,
	fieldText: `/** Returns the value of a header field, which has no line breaks. */
private static String fieldText(String value) {
    if (value.matches("(?s).*[\r\n].*")) {
        throw new IllegalArgumentException("a header field has a line break");
    }
    return value;
}`,
}

var kotlinValues = values{
	pathSegment: `/** Encodes a value as one segment of a path. */
private fun pathSegment(value: String): String {
    require(value != "." && value != "..") { "a segment of the path is $value" }
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20")
}`,
	pathSegments: `/** Encodes a value as segments of a path, between its slashes. */
private fun pathSegments(value: String): String = value.split("/").joinToString("/") { pathSegment(it) }`,
	jsonText: `/** Encodes a value for a string of JSON. */
private fun jsonText(value: String): String = buildString {
    for (c in value) {
        when {
            c == '"' || c == '\\' -> append('\\').append(c)
            c < ' ' -> append("\\u%04x".format(c.code))
            else -> append(c)
        }
    }
}`,
	jsonValue: `/** Returns a value that is JSON already; another is an error. */
private fun jsonValue(value: String): String {
    val one = "\\s*+(?:0|\"\")\\s*+"
    val member = "\\s*+\"\"\\s*+:$one"
    var rest = value
        .replace(Regex("\"(?:[^\"\\\\\\x00-\\x1f]++|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+\""), "\"\"")
        .replace(Regex("-?(?:0|[1-9]\\d*+)(?:\\.\\d++)?+(?:[eE][+-]?\\d++)?+|true|false|null"), "0")
    do {
        val before = rest
        rest = rest
            .replace(Regex("\\[(?:\\s*+|$one(?:,$one)*+)\\]"), "0")
            .replace(Regex("\\{(?:\\s*+|$member(?:,$member)*+)\\}"), "0")
    } while (before != rest)
    require(rest.matches(Regex(one))) { "a parameter is no JSON" }
    return value
}`,
	jsonElements: `/** Returns the elements of an array of JSON; others are an error. */
private fun jsonElements(value: String): String {
    jsonValue("[$value]")
    return value
}`,
}
