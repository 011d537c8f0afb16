package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
)

// dataFile looks for -d file.json, which sends the name and not the file: it has no @.
// Only a lone name with an extension that says what is in it is certain.
func (k *checker) dataFile(s *curl.Setting, t *traits) {
	text := s.Value.Text
	if t.get || len(s.Value.Holes) > 0 || !k.isFileName(text) || strings.IndexByte(text, ' ') >= 0 { // a page may have such a query
		return
	}
	hint := "write @ before the name to send what is in the file"
	if s.ID == curl.OptDataRaw { // takes no file
		hint = "write --data-binary, and @ before the name, to send what is in the file"
	}
	k.bodyDoubted = true
	k.warn(diag.WarnLooksLikeFile, s.Value.Span, "this looks like the name of a file, and curl sends the name itself", hint)
}

// formFile looks for -F file=photo.jpg, which sends the name and not the file. A name
// can be meant where another field has a file, or where its own name does not say that it
// is for one: -F key=a/photo.jpg.
func (k *checker) formFile(s *curl.Setting, t *traits) {
	field, value, ok := strings.Cut(s.Value.Text, "=")
	value, _, _ = strings.Cut(value, ";")
	if !ok || t.files || len(s.Value.Holes) > 0 || !isFileField(field) || !k.isFileName(value) {
		return
	}
	k.warn(diag.WarnLooksLikeFile, s.Value.Span, "this looks like the name of a file, and curl sends the name itself",
		"write @ before the name to send what is in the file")
}

// uploadName looks for -T @photo.jpg: only -d and -F take a name behind an @, and curl looks
// for a file whose name begins with it.
func (k *checker) uploadName(s *curl.Setting) {
	name, ok := strings.CutPrefix(s.Value.Text, "@")
	if !ok || len(s.Value.Holes) > 0 || !k.isFileName(name) {
		return
	}
	const message, hint = "-T takes the name of the file alone, and curl looks for one that begins with @", "leave out the @"
	at := s.Value.Span.Start + int32(strings.IndexByte(k.raw(s.Value.Span), '@'))
	k.fix(diag.WarnLooksLikeFile, s.Value.Span, message, hint, diag.Span{Start: at, End: at + 1}, "")
}

// formType looks for -H Content-Type beside -F that is none of a form: curl sends the parts of
// the form all the same, with that type in the place of theirs.
func (k *checker) formType(s *curl.Setting) {
	name, value, ok := strings.Cut(s.Value.Text, ":")
	value = strings.Trim(value, " \t")
	if !ok || value == "" || len(s.Value.Holes) > 0 || !ascii.EqualFold(name, "Content-Type") || ascii.HasPrefixFold(value, "multipart/") {
		return
	}
	const message, hint = "-F sends the parts of a form, and this is the type of something else: servers cannot read them", "leave this header out, since curl sets it for -F, or send the content with -d"
	if k.standsAlone(s) {
		k.fix(diag.WarnFormSyntax, s.Value.Span, message, hint, diag.Span{Start: s.Span.Start - 1, End: s.Value.Span.End}, "")
		return
	}
	k.warn(diag.WarnFormSyntax, s.Value.Span, message, hint)
}

// isFileName reports whether a text is the path of a file with an extension that says
// what is in it. A host before a slash makes a URL of it.
func (k *checker) isFileName(text string) bool {
	const longest = 4096 // PATH_MAX
	if len(text) > longest {
		return false
	}
	dot := strings.LastIndexByte(text, '.')
	if dot < 1 || !isFileExtension(text[dot+1:]) || !k.meter.Work(len(text)) {
		return false
	}
	if len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/') {
		text = text[2:] // the drive
	}
	for i := range len(text) {
		if c := text[i]; c < 0x80 && !ascii.IsNameByte(c) && strings.IndexByte("./\\~-+ ", c) < 0 {
			return false
		}
	}
	first, _, deep := strings.Cut(text, "/")
	return text[dot-1] != '/' && (!deep || strings.Trim(first, ".") == "" || strings.IndexByte(first, '.') < 0)
}

// isFileExtension reports an extension of data, documents, pictures, recordings or
// archives.
func isFileExtension(extension string) bool {
	switch strings.ToLower(extension) {
	case "json", "jsonl", "ndjson", "xml", "txt", "csv", "tsv", "yaml", "yml", "html", "sql", "graphql", "bin", "parquet",
		"pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods",
		"png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "svg", "heic",
		"mp3", "mp4", "wav", "ogg", "flac", "avi", "mov", "webm", "mkv",
		"zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "jar", "war", "apk", "ipa":
		return true
	}
	return false
}

// isFileField reports whether the name of a form field says that it is for a file: its
// last word does.
func isFileField(name string) bool {
	const longest = 64
	if name = strings.TrimRight(name, "[]0123456789"); len(name) > longest {
		return false
	}
	at := strings.LastIndexAny(name, "_-.[ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if at >= 0 && !ascii.IsLetter(name[at]) {
		at++
	}
	switch strings.ToLower(name[max(at, 0):]) {
	case "file", "files", "upload", "uploads", "image", "images", "photo", "photos", "picture", "pictures", "avatar",
		"attachment", "attachments", "document", "documents", "pdf", "video", "audio", "media", "archive", "csv":
		return true
	}
	return false
}
