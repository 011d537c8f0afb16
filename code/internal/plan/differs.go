package plan

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// A Difference is what a program sends or does otherwise than curl, and nobody has to mend.
type Difference struct {
	Kind   string   // one of DifferenceKinds
	Of     string   // of a spelling: "url", "form" or "fields"
	Fields []string // that are added, or spelled otherwise
}

// The kinds of differences.
const (
	Unmeasured       = "unproven"
	AddsFields       = "adds"
	FollowsRedirects = "follows-redirects"
	OtherSpelling    = "spelling"
	JSONBlanks       = "json-blanks"
	HeaderOrder      = "header-order"
	HeaderCase       = "header-case"
	FormParts        = "form-parts"
	Compression      = "compression"
	DecodesText      = "decodes-text"
)

// A Wire is how a client spells what it is given, measured by running it.
type Wire struct {
	// Order is how the fields of a request stand: names in their order, of which * stands for
	// all others as the program writes them, < for all others by name, and ? for any order.
	// A name after + stands there only where a helper of the client sends the field, and one
	// after & where that is the type of a form with parts.
	// "" is *.
	Order string
	Case  Case
	Names FieldNames // that the client spells itself, as it spells them
	// Path and Query are the characters that arrive percent-encoded, those beyond ASCII as é,
	// and % where an escape arrives decoded that none needs; ? after a path is left out before
	// an empty query.
	Path, Query string
	Percents    bool // a percent sign that begins no escape arrives encoded
	Lowers      bool // the letters of a host
	Charset     bool // its helper for forms names a charset
	Follows     bool // redirects, unless it is told not to
	// Spares reports a field of Adds that the client leaves out of a call; nil: none.
	Spares func(c *Call, name string) bool
	Text   bool // its programs print the response as text of some charset
}

// A Case is how a client spells the names of fields.
type Case uint8

// The cases.
const (
	AsGiven  Case = iota
	Lower         // x-api-key
	Titled        // X-Api-Key
	Initials      // capitals at the beginnings, and the rest as given
)

// spell returns a name of a field as the client spells it.
func (c Case) spell(name string) string {
	if c == AsGiven {
		return name
	}
	b := []byte(name)
	for i := range b {
		first := i == 0 || b[i-1] == '-' || c == Initials && !ascii.IsLetter(b[i-1]) && !ascii.IsDigit(b[i-1])
		switch {
		case c != Lower && first && ascii.IsLetter(b[i]):
			b[i] &^= 0x20
		case c != Initials:
			b[i] = ascii.Lower(b[i])
		}
	}
	return string(b)
}

// differences returns what the program that was written sends or does otherwise than curl.
func (p *Program) differences() []Difference {
	var list []Difference
	if !p.Target.Proven || !p.Target.Facts.Everything && !p.Target.Facts.measured() {
		list = append(list, Difference{Kind: Unmeasured})
	}
	if p.Target.Facts.Everything {
		return list
	}
	add := func(d Difference) {
		i := slices.IndexFunc(list, func(one Difference) bool { return one.Kind == d.Kind && one.Of == d.Of })
		if i < 0 {
			list = append(list, d)
			return
		}
		for _, name := range d.Fields {
			if !slices.Contains(list[i].Fields, name) {
				list[i].Fields = append(list[i].Fields, name)
			}
		}
	}
	for _, c := range p.Calls {
		p.Budget.Work(len(c.URL) + len(c.Fields)*len(c.headers))
		p.callDiffers(c, add)
	}
	return list
}

// measured reports whether anything is known of how the client spells what it is given.
func (w *Wire) measured() bool {
	return w.Order != "" || w.Case != AsGiven || w.Path != "" || w.Query != "" || w.Follows || w.Text
}

// callDiffers adds the differences of a call.
func (p *Program) callDiffers(c *Call, add func(Difference)) {
	k, w := &p.Target.Facts, &p.Target.Facts.Wire
	if added := k.added(c); len(added) > 0 {
		add(Difference{Kind: AddsFields, Fields: added})
	}
	if w.Follows && c.LeavesRedirects() && !c.stays && (k.Follows == nil || slices.Contains(k.Follows, c.Method)) {
		add(Difference{Kind: FollowsRedirects})
	}
	if c.respelled || !c.verbatim && w.respells(c) {
		add(Difference{Kind: OtherSpelling, Of: "url"})
	}
	if c.otherForm {
		add(Difference{Kind: OtherSpelling, Of: "form"})
	}
	if names := c.spelledOtherwise(w); len(names) > 0 {
		add(Difference{Kind: OtherSpelling, Of: "fields", Fields: names})
	}
	if c.otherJSON {
		add(Difference{Kind: JSONBlanks})
	}
	if c.Has("compressed") && c.Field("Accept-Encoding") == nil {
		add(Difference{Kind: Compression})
	}
	order, spelled := w.compare(c)
	if order {
		add(Difference{Kind: HeaderOrder})
	}
	if spelled {
		add(Difference{Kind: HeaderCase})
	}
	if w.Text && !c.exact && !c.printsBytes && c.Destination(p.Options) == ContentPrinted {
		add(Difference{Kind: DecodesText})
	}
}

// added returns the fields that the client adds to a call by itself.
func (k *Client) added(c *Call) (names []string) {
	for _, name := range k.Adds {
		if c.Field(string(name)) == nil && !(name == "Accept-Encoding" && c.Has("compressed")) && !c.gives(string(name)) && !c.Removes(string(name)) && !c.deleted.Has(string(name)) &&
			(k.Spares == nil || !k.Spares(c, string(name))) {
			names = append(names, string(name))
		}
	}
	return names
}

// Deletes says that the program takes a field away which the client would add.
func (c *Call) Deletes(name emit.Phrase) { c.deleted = append(c.deleted, name) }

// gives reports whether the command gives a field to the request.
func (c *Call) gives(name string) bool {
	return slices.ContainsFunc(c.Fields, func(f request.Field) bool { return f.Origin != request.OriginDefault && ascii.EqualFold(f.Name, name) })
}

// Lead says that the client sends the fields of the call in another order than others: see
// [Wire].
func (c *Call) Lead(order string) { c.leading = order }

// Respells says that the program spells the JSON of the call otherwise, whatever its encoder
// prints.
func (c *Call) Respells() { c.otherJSON = true }

// AddsCharset says that a helper of the client names a charset beside the type of the content.
func (c *Call) AddsCharset() { c.addsCharset = true }

// AsWritten says that the program has the content as it is, and neither its pairs nor its
// value, which it was asked for.
func (c *Call) AsWritten() { c.otherForm, c.otherJSON = false, false }

// spelledOtherwise returns the fields whose values the client spells otherwise.
func (c *Call) spelledOtherwise(w *Wire) (names []string) {
	if c.leavesType && w.Charset || c.addsCharset {
		names = append(names, "Content-Type")
	}
	if c.joins {
		for _, same := range ByName(c.headers) {
			if len(same) > 1 {
				names = append(names, same[0].Name)
			}
		}
	}
	return names
}

// respells reports whether the client sends the URL of a call in another spelling.
func (w *Wire) respells(c *Call) bool {
	source := c.URLText.Source()
	parts := urlparts.Of(source)
	if parts.Authority > parts.Path {
		return false
	}
	if host, known := c.URLText.Cut(parts.Authority, parts.Path).Plain(); known && w.Lowers && strings.ToLower(host) != host {
		return true
	}
	if w.Percents && !WellFormed(c.URLText.Literals()) {
		return true
	}
	mark := c.URLText.Index("?#", parts.Path)
	end := c.URLText.Index("#", mark)
	if end == mark+1 && mark < len(source) && source[mark] == '?' && strings.IndexByte(w.Path, '?') >= 0 {
		return true
	}
	return encodesAny(c.URLText.Cut(parts.Path, mark), w.Path) || encodesAny(c.URLText.Cut(min(mark+1, end), end), w.Query)
}

// afterAuthority returns the path and the query of a URL.
func afterAuthority(url string) string {
	rest := url[urlparts.Of(url).Path:]
	if strings.HasPrefix(rest, "/") {
		return rest
	}
	return "/" + rest
}

// encodesAny reports whether a text has one of the characters that a client encodes, or an
// escape that it decodes.
func encodesAny(t Text, characters string) bool {
	for _, part := range t {
		s := part.Literal
		for i := range len(s) {
			switch {
			case s[i] >= 0x80:
				if strings.Contains(characters, "é") {
					return true
				}
			case s[i] == '%':
				if strings.IndexByte(characters, '%') >= 0 && i+2 < len(s) && ascii.IsHex(s[i+1]) && ascii.IsHex(s[i+2]) && ascii.IsUnreserved(byte(ascii.Hex(s[i+1])<<4|ascii.Hex(s[i+2]))) {
					return true
				}
			case strings.IndexByte(characters, s[i]) >= 0:
				return true
			}
		}
	}
	return false
}

// compare reports whether the client sends the fields of a call in another order than curl,
// and whether it spells a name otherwise.
func (w *Wire) compare(c *Call) (order, spelled bool) {
	var want []string
	for i := range c.Fields {
		f := &c.Fields[i]
		name := f.Name
		if line, _, ok := strings.Cut(f.Line, ":"); ok {
			name = line
		}
		asked := f.Origin != request.OriginDefault || ascii.EqualFold(name, "Connection") // which names TE
		if asked && !isFraming(name) && !(f.From == "--compressed" && ascii.EqualFold(name, "Accept-Encoding")) {
			want = append(want, name)
		}
	}
	if len(want) == 0 {
		return false, false
	}
	sent := c.sends(w)
	sent = slices.DeleteFunc(sent, func(f sentField) bool {
		return !slices.ContainsFunc(want, func(name string) bool { return ascii.EqualFold(name, f.name) })
	})
	for i, name := range want {
		at := slices.IndexFunc(sent, func(f sentField) bool { return ascii.EqualFold(f.name, name) })
		if at >= 0 && slices.IndexFunc(want, func(s string) bool { return ascii.EqualFold(s, name) }) == i && sent[at].name != name {
			spelled = true
		}
	}
	if w.Order == "?" {
		return len(sent) > 1, spelled
	}
	return !slices.EqualFunc(want, sent, func(name string, f sentField) bool { return ascii.EqualFold(name, f.name) }) && len(want) == len(sent), spelled
}

// isFraming reports a field that says where the content ends, or where the request goes,
// which each client sends where it likes.
func isFraming(name string) bool { return framing.Has(name) }

var framing = FieldNames{"Host", "Content-Length", "Transfer-Encoding", "Expect"}

// A sentField is a field of a request as the client sends it.
type sentField struct {
	name    string
	derived bool // by a helper
	rank    int
}

// sends returns the fields of a call in the order of the client.
func (c *Call) sends(w *Wire) []sentField {
	order := w.Order
	if c.leading != "" {
		order = c.leading
	}
	slots := strings.Fields(cmp.Or(order, "*"))
	rest := slices.IndexFunc(slots, func(s string) bool { return s == "*" || s == "<" || s == "?" })
	list := make([]sentField, 0, len(c.headers)+1)
	add := func(name string, derived bool, mark string) {
		f := sentField{name: w.Case.spell(name), derived: derived, rank: rest}
		if i := slices.IndexFunc(w.Names, func(own emit.Phrase) bool { return ascii.EqualFold(string(own), name) }); i >= 0 {
			f.name = string(w.Names[i])
		}
		for i, slot := range slots {
			switch own := strings.TrimLeft(slot, "+&"); {
			case !ascii.EqualFold(own, name):
			case own == slot:
				f.rank = i
			case derived && (slot[0] == '+' || mark == "&"):
				f.rank, f.name = i, own
			}
		}
		list = append(list, f)
	}
	for _, f := range c.headers {
		add(f.Name, f.derived, "+")
	}
	if c.Content.Kind == MultipartBody && c.Field("Content-Type") == nil {
		add("Content-Type", true, "&")
	}
	if c.groups {
		grouped := make([]sentField, 0, len(list))
		for i := range list {
			if slices.ContainsFunc(grouped, func(f sentField) bool { return ascii.EqualFold(f.name, list[i].name) }) {
				continue
			}
			for _, f := range list[i:] {
				if ascii.EqualFold(f.name, list[i].name) {
					grouped = append(grouped, f)
				}
			}
		}
		list = grouped
	}
	slices.SortStableFunc(list, func(a, b sentField) int {
		if a.rank == b.rank && a.rank == rest && slots[rest] == "<" {
			return cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
		}
		return cmp.Compare(a.rank, b.rank)
	})
	return list
}
