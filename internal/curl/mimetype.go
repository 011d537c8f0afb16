package curl

import "uncoil/internal/ascii"

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
