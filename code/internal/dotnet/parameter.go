package dotnet

import (
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// helped returns a call of the method that encodes a value for its place.
func helped(p *plan.Program, encoding request.Encoding, expr string) string {
	name := "PathSegment"
	switch encoding {
	case plan.Segments:
		name = "PathSegments"
		p.Help(pathSegment)
		p.Help(pathSegments)
	case plan.JSONValue, plan.JSONElements:
		name = "JsonValue"
		if isOld(p) {
			p.Use("System.Text.RegularExpressions")
			p.Help(oldJSONValue)
		} else {
			p.Use("System.Text.Json")
			p.Help(jsonValue)
		}
		if encoding == plan.JSONElements {
			name = "JsonElements"
			p.Help(jsonElements)
		}
	case plan.FieldText:
		name = "FieldText"
		p.Help(fieldText)
	default:
		p.Help(pathSegment)
	}
	return name + "(" + expr + ")"
}

// The methods of programs that encode a value for its place. What C# 7 has does not read JSON:
// its method replaces strings by "" and other scalars by 0, and then arrays and objects of
// these by 0, until nothing changes.
const (
	pathSegment = `// Encodes a value as one segment of a path.
static string PathSegment(string value)
{
    if (value == "." || value == "..")
    {
        throw new ArgumentException("a segment of the path is " + value);
    }
    return Uri.EscapeDataString(value);
}`
	pathSegments = `// Encodes a value as segments of a path, between its slashes.
static string PathSegments(string value)
{
    return string.Join("/", Array.ConvertAll(value.Split('/'), segment => PathSegment(segment)));
}`
	jsonValue = `// Returns a value that is JSON already; another is an error.
static string JsonValue(string value)
{
    using (JsonDocument.Parse(value))
    {
        return value;
    }
}`
	jsonElements = `// Returns the elements of an array of JSON; others are an error.
static string JsonElements(string value)
{
    JsonValue("[" + value + "]");
    return value;
}`
	oldJSONValue = `// Returns a value that is JSON already; another is an error.
static string JsonValue(string value)
{
    const string One = "\\s*(?:0|\"\")\\s*";
    const string Member = "\\s*\"\"\\s*:" + One;
    string rest = Regex.Replace(value, "\"(?:[^\"\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*\"", "\"\"");
    rest = Regex.Replace(rest, "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null", "0");
    for (string before = ""; before != rest;)
    {
        before = rest;
        rest = Regex.Replace(rest, "\\[(?:\\s*|" + One + "(?:," + One + ")*)\\]", "0");
        rest = Regex.Replace(rest, "\\{(?:\\s*|" + Member + "(?:," + Member + ")*)\\}", "0");
    }
    if (!Regex.IsMatch(rest, "\\A" + One + "\\z"))
    {
        throw new ArgumentException("a parameter is no JSON");
    }
    return value;
}`
	fieldText = `// Returns the value of a header field, which has no line breaks.
static string FieldText(string value)
{
    if (value.IndexOfAny(new[] { '\r', '\n' }) >= 0)
    {
        throw new ArgumentException("a header field has a line break");
    }
    return value;
}`
)
