package curl

import "uncoil/internal/engine/ascii"

// TypeByExtension returns the content type for one of the ten file name
// extensions that curl knows, or "": Curl_mime_contenttype() in curl 8.22
// lib/mime.c.
func TypeByExtension(name string) string {
	for _, t := range [...][2]string{
		{".gif", "image/gif"}, {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"}, {".png", "image/png"},
		{".svg", "image/svg+xml"}, {".txt", "text/plain"}, {".htm", "text/html"}, {".html", "text/html"},
		{".pdf", "application/pdf"}, {".xml", "application/xml"},
	} {
		if n := len(name) - len(t[0]); n >= 0 && ascii.EqualFold(name[n:], t[0]) {
			return t[1]
		}
	}
	return ""
}

// TypeOfPart returns the content type that curl gives to a part of a form
// without being told, or nil. It guesses from the name that is sent and from the
// file's own, which standard input has not; plain text needs no mention unless
// a file name is sent: Curl_mime_prepare_headers() in curl 8.22 lib/mime.c.
func TypeOfPart(file string, filename *string) *string {
	contentType := ""
	if filename != nil {
		contentType = TypeByExtension(*filename)
	}
	if contentType == "" && file != "" && file != "-" {
		contentType = TypeByExtension(file)
		if contentType == "" && filename != nil {
			contentType = "application/octet-stream"
		}
	}
	if contentType == "" || contentType == "text/plain" && filename == nil {
		return nil
	}
	guess := contentType // of its own, so that no guess takes no memory
	return &guess
}
