package plan

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/meter"
)

// A Jar holds the cookies that several requests of a text share: those that -c of one
// command writes and -b of a later one reads, and those of the transfers of one command.
// The program keeps them in its memory. A file that the text reads before it writes it is
// one that others keep: the first request loads it, and the last that writes it saves it.
type Jar struct {
	Number int // 1 for the first of the program
	Calls  []*Call
	loaded string // the name of the file that is there before, or ""
	reads  map[string]bool
	writer map[string]int // the place of the last call that writes a file, by its name
	told   int            // the calls before this place know whether curl forgets their cookies
}

// Named returns the name of a variable for what belongs to the jar: the name itself for
// the first one, and then with a number.
func (j *Jar) Named(name string) string {
	if j.Number > 1 {
		return name + emit.Itoa(j.Number)
	}
	return name
}

// Every reports whether all requests of the jar are such.
func (j *Jar) Every(is func(c *Call) bool) bool {
	for _, c := range j.Calls {
		if !is(c) {
			return false
		}
	}
	return true
}

// Jar returns the jar that the program keeps for requests of which this is one, or nil;
// its room then sends the cookies of the jar, and puts those of the response in it.
func (c *Call) Jar() *Jar {
	if c.jar != nil {
		c.keeps, c.takesJar = true, true
	}
	return c.jar
}

// Opens reports whether the request is the first of its jar.
func (c *Call) Opens() bool { return c.jar != nil && c.jar.Calls[0] == c }

// Closes reports whether the request is the last of its jar.
func (c *Call) Closes() bool { return c.jar != nil && c.jar.Calls[len(c.jar.Calls)-1] == c }

// ReadsOwn reports whether the request reads a file of cookies that an earlier one writes.
func (c *Call) ReadsOwn() bool { return c.fromJar }

// ForgetsCookies notes that the program does not keep the cookies of the response, as curl
// does not.
func (c *Call) ForgetsCookies() { c.forgets = false }

// JoinsCookies notes that the program sends the cookies of a field and those of its jar.
func (c *Call) JoinsCookies() { c.joinsJar = true }

// shareCookies settles which requests share a jar. The names of files are compared as they
// are written, since nobody knows more of them.
func (p *Program) shareCookies() {
	if len(p.Calls) < 2 || p.Target.Facts.Everything {
		return
	}
	s := &sharer{files: map[string]*Jar{}, commands: map[diag.Span]*Jar{}}
	for _, c := range p.Calls {
		o := c.cookieEngine()
		if o == nil {
			continue
		}
		names := len(c.Asked.CookieFiles) + 1
		p.Budget.Work(settleSteps * names)
		p.Budget.Hold(meter.SizeOf[Jar]() + 2*names*bytesPerName + 2*len(c.URL))
		s.share(c, o.Span)
	}
	if p.Target.Facts.JarFiles {
		return
	}
	for _, c := range p.Calls { // before jars leave the memory of files
		for _, name := range c.Asked.CookieFiles {
			j := s.files[fileKey(name)]
			c.mixes = c.mixes || len(c.Asked.CookieFiles) > 1 && j != nil && len(j.Calls) > 1
		}
	}
	n := 0
	for _, j := range s.jars {
		if len(j.Calls) > 1 {
			n++
			j.Number = n
			j.settle()
		}
	}
	if p.Target.Facts.Session {
		p.mingle()
	}
}

// mingle notes the requests to which a client that has one jar for all of a program sends
// cookies that curl does not send.
func (p *Program) mingle() {
	var jar *Jar
	for _, c := range p.Calls {
		if jar == nil {
			jar = c.jar
		}
		c.mingles = c.jar != jar
	}
}

// bytesPerName is what the name of a file takes in the maps of a sharer.
const bytesPerName = 200

// A sharer finds the requests of each jar.
type sharer struct {
	files    map[string]*Jar    // what the files hold that the text has written so far
	commands map[diag.Span]*Jar // of the option that has a command keep cookies
	jars     []*Jar
}

// share adds a request to the jar that it shares with earlier ones, or begins another.
// The transfers of one command have one option, whatever the number of its URLs.
func (s *sharer) share(c *Call, option diag.Span) {
	j := s.commands[option]
	names := c.Asked.CookieFiles
	if j == nil && len(names) == 1 && !isDash(names[0]) { // the standard input
		name := fileKey(names[0])
		if j = s.files[name]; j != nil {
			c.mixes = c.Has("junkSessionCookies") // of which the jar tells nobody
			c.fromJar = true
			j.read(name)
		}
	}
	if j == nil {
		j = &Jar{reads: map[string]bool{}, writer: map[string]int{}}
		if len(names) == 1 {
			j.loaded = fileKey(names[0])
		}
		s.jars = append(s.jars, j)
	}
	s.commands[option] = j
	j.Calls = append(j.Calls, c)
	if len(c.Asked.CookieJar) > 0 && !c.PrintsCookies() {
		name := fileKey(c.Asked.CookieJar)
		s.files[name] = j
		j.writer[name] = len(j.Calls) - 1
	}
}

// read notes that a later call reads a file of the jar. Curl forgets the cookies of the
// responses since the file was written.
func (j *Jar) read(name string) {
	j.reads[name] = true
	for i := max(j.told, j.writer[name]+1); i < len(j.Calls); i++ {
		j.Calls[i].forgets = true
	}
	j.told = len(j.Calls)
}

// settle leaves to the calls of a jar what they do with files: the first loads them, and
// the last that writes one saves it unless the file only hands cookies on.
func (j *Jar) settle() {
	for i, c := range j.Calls {
		c.jar = j
		if i > 0 {
			c.Asked.CookieFiles = nil
		}
		if len(c.Asked.CookieJar) == 0 || c.PrintsCookies() {
			continue
		}
		if name := fileKey(c.Asked.CookieJar); j.writer[name] != i || j.reads[name] && j.loaded != name {
			c.Asked.CookieJar = nil
		}
	}
}

// fileKey returns what two names of a file have in common that are one.
func fileKey(name Text) string {
	var b strings.Builder
	for i := range name {
		switch v := name[i].Variable; {
		case v == nil && i == 0:
			literal := name[i].Literal
			for strings.HasPrefix(literal, "./") {
				literal = strings.TrimLeft(literal[1:], "/")
			}
			b.WriteString(literal)
		case v == nil:
			b.WriteString(name[i].Literal)
		case v.Name != "" && !v.Computed && !v.HasDefault:
			b.WriteString("\x00$" + v.Name + "\x00")
		default:
			b.WriteString("\x00" + v.Expr + "\x00")
		}
	}
	return b.String()
}

// refuseJar makes errors of cookies of earlier responses that the program does not send.
func (p *Program) refuseJar(c *Call) {
	switch {
	case c.mixes:
		what := emit.Phrase("cannot join the cookies of several files")
		if c.Has("junkSessionCookies") {
			c.take("junkSessionCookies")
			what = "cannot tell session cookies of earlier responses from others"
		}
		p.refused(reason{what, c.Place("cookieFiles")}, "", "")
	case c.mingles:
		p.refused(reason{"sends the cookies of a response with every later request", c.Place("cookieFiles")}, "", "")
	case c.jar == nil:
	case c.fromJar && !c.takesJar && !p.Target.Facts.Session:
		p.refused(reason{"is not set up to keep cookies between requests", c.Place("cookieFiles")}, "", "")
	case c.takesJar && !c.joinsJar && c.Field("Cookie") != nil && !(c.Opens() && !c.Asked.Follow && !c.loads()):
		p.refused(reason{"cannot join these cookies to those of earlier responses", c.Field("Cookie").At}, "", "")
	}
}

// loads reports whether the program reads a file of cookies.
func (c *Call) loads() bool { return len(c.Asked.CookieFiles) > 0 && c.says("cookieFiles") }

// begins reports whether a request that reads a file of cookies is the first of a text that
// keeps it: there need be none yet.
func (c *Call) begins() bool {
	return c.Opens() && c.takesJar && len(c.Asked.CookieFiles) == 1 && c.jar.reads[fileKey(c.Asked.CookieFiles[0])]
}

// reportBeginning warns of a program that begins without the cookies of a file.
func (p *Program) reportBeginning(c *Call) {
	p.CannotAt(c.Place("cookieFiles"), "reads no cookie files", "the program begins without cookies; pass the content of the file in files")
	p.Diags[len(p.Diags)-1].Option = "-b"
	p.noteAt(Nowhere, "The program begins without the cookies of the file of -b.")
}

// reportKept warns of cookies of a response that the program keeps and curl forgets: those
// of a command with -b and without -c, where a later one reads the same file. That a client
// keeps what it is sent is its usual behaviour, which the idiomatic style leaves to it.
func (p *Program) reportKept(c *Call) {
	if c.takesJar && c.forgets && (p.Exact() || c.Has("cookieJar")) {
		p.DiffersAt(c.Place("cookieFiles"), "keeps the cookies that this response sets for later requests")
		p.Diags[len(p.Diags)-1].Option = "-b"
	}
}
