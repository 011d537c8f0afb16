package rust

// The functions of programs that encode a value for its place. The standard library reads no
// JSON, so json_value takes scalars only.
const (
	pathSegment = `/// Encodes a value as one segment of a path.
fn path_segment(value: impl AsRef<str>) -> Result<String, String> {
    match value.as_ref() {
        segment @ ("." | "..") => Err(format!("a segment of the path is {segment}")),
        segment => Ok(percent_encode(segment)),
    }
}
`
	pathSegments = `/// Encodes a value as segments of a path, between its slashes.
fn path_segments(value: impl AsRef<str>) -> Result<String, String> {
    let segments: Result<Vec<_>, _> = value.as_ref().split('/').map(path_segment).collect();
    Ok(segments?.join("/"))
}
`
	jsonText = `/// Encodes a value for a string of JSON.
fn json_text(value: impl AsRef<str>) -> String {
    let mut text = String::new();
    for c in value.as_ref().chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\0'..='\x1f' => text += &format!("\\u{:04x}", c as u32),
            _ => text.push(c),
        }
    }
    text
}
`
	jsonElements = `/// Returns the elements of an array of JSON, as json_value takes them.
fn json_elements(value: impl AsRef<str>) -> Result<String, String> {
    let value = value.as_ref().trim();
    if value.is_empty() {
        return Ok(String::new());
    }
    let elements: Result<Vec<_>, _> = value.split(',').map(|one| json_value(one.trim())).collect();
    Ok(elements?.join(","))
}
`
	jsonValue = `/// Returns a number, true, false or null of JSON; another value is an error.
fn json_value(value: impl AsRef<str>) -> Result<String, String> {
    let value = value.as_ref();
    let digits = value.strip_prefix('-').unwrap_or(value);
    let number = digits.starts_with(|c: char| c.is_ascii_digit())
        && value.ends_with(|c: char| c.is_ascii_digit())
        && !(digits.len() > 1 && digits.starts_with('0') && !digits[1..].starts_with(['.', 'e', 'E']))
        && !value.contains(".e")
        && !value.contains(".E")
        && value.parse::<f64>().is_ok();
    if number || matches!(value, "true" | "false" | "null") {
        return Ok(value.to_string());
    }
    Err("a parameter is no number, true, false or null of JSON".to_string())
}
`
)
