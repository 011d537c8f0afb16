package curl

// A FirstField is one of the fields that curl sends first.
type FirstField struct {
	Name string
	// Unasked says that curl sends it where no option sets it: Accept-Encoding
	// with --compressed only.
	Unasked bool
	Value   string // then; that of Host is the URL's
}

// FirstFields are the first fields that curl sends, in its order: http_add_hd() in
// curl 8.22 lib/http.c.
var FirstFields = []FirstField{
	{"Host", true, ""}, {"Proxy-Authorization", false, ""}, {"Authorization", false, ""}, {"Range", false, ""}, {"Content-Range", false, ""},
	{"User-Agent", true, UserAgent}, {"Accept", true, Accept}, {"TE", false, ""}, {"Accept-Encoding", true, AcceptEncoding},
}

// What curl sends unasked.
const (
	UserAgent      = "curl/" + Version
	Accept         = "*/*"
	AcceptEncoding = "deflate, gzip, br, zstd"
)
