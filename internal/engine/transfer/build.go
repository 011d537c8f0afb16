package transfer

import (
	"math"
	"strconv"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// UsualRequests is how many requests one text may stand for unless the caller says
// otherwise.
const UsualRequests = 1000

// Room is how many requests the whole text may make, and how many it has
// made already, and where to work and to put them.
type Room struct {
	Total, Used int
	Without     Parts
	Memory      *Memory // or nil
}

// Parts are parts of requests that can be left out where nobody reads them.
type Parts uint8

// The parts.
const (
	Defaults    Parts = 1 << iota // the fields that curl adds by default
	Views                         // what is decoded, the options, and whether a body is JSON, or text at all
	KeptMethods                   // that a redirect keeps the method of -X
)

// Requests returns the requests that curl would send for the operations of
// one command, in order, as far as there is room for them.
//
// An error that curl meets only after it has sent a request is added to the
// list as a warning, so that what was sent is still answered. missing is the error for
// the files without which a request is not complete, or nil; they have warnings, too.
func Requests(operations []curl.Operation, in *curl.Inputs, room Room, command diag.Span) (requests []request.Request, diags diag.List, missing *diag.Diagnostic) {
	m := room.Memory
	if m == nil {
		m = new(Memory)
		m.Keep()
	}
	m.builder = builder{in: in, room: room, command: command, memory: m, requests: m.requests()}
	b, configs := &m.builder, m.one[:]
	if len(operations) != 1 {
		if !in.Meter.Hold(meter.SizeOf[config]() * len(operations)) {
			return nil, diag.List{in.Meter.Diagnostic(command)}, nil
		}
		configs = make([]config, len(operations))
	} else {
		m.one[0] = config{headers: m.one[0].headers[:0]}
	}
	for i := range configs {
		b.configure(&configs[i], &operations[i]) // reads files, before any transfer does
	}
	for i := range configs {
		b.readPassword(&configs[i])
	}
	for i := range configs {
		before := len(b.requests)
		stop := b.operation(&configs[i])
		operations[i].Requests = max(0, len(b.requests)-before)
		if stop {
			break
		}
	}
	if b.failure != nil {
		b.diags = append(b.diags, b.ended(*b.failure))
	}
	in.Marks.RestoreDiags(b.diags)
	if b.missing != nil {
		one := diag.List{*b.missing}
		in.Marks.RestoreDiags(one)
		b.missing = &one[0]
	}
	return b.requests, b.diags, b.missing
}

// ended returns the error of a transfer: as a warning where curl sent requests before it.
func (b *builder) ended(d diag.Diagnostic) diag.Diagnostic {
	if len(b.requests) == 0 {
		return d
	}
	switch {
	case d.Code == diag.CodeFileNotSupplied || d.Code == diag.CodeStdinNotSupplied:
		b.missing = WithFiles(b.missing, d)
		d.Message += " (its request is left out)"
	case d.Code == diag.CodeInvalidURL && !b.failEarly:
		// A transfer that fails does not end the command, unlike a glob
		// that cannot be read (create_single(), curl 8.22 src/tool_operate.c).
		d.Message += " (curl sends the others)"
	default:
		d.Message += " (curl sends what comes before it)"
	}
	d.Demote()
	return d
}

// reads reports whether somebody reads a part of the requests.
func (b *builder) reads(p Parts) bool { return b.room.Without&p == 0 }

// builder builds the requests of one command.
type builder struct {
	memory   *Memory
	in       *curl.Inputs
	room     Room
	command  diag.Span
	requests []request.Request
	diags    diag.List
	failure  *diag.Diagnostic // the first error of a transfer
	missing  *diag.Diagnostic // the error for all files that were not supplied
	// failEarly is the last --fail-early of all operations: one URL that
	// cannot be requested ends the command.
	failEarly bool
	// The cookies from files, which all operations share.
	jar           cookieJar
	cookiesLoaded bool // those of the operation
	netrcSearch   netrcSearch
	hsts          hstsSearch
	json          struct { // the last answer of isJSON
		text string
		is   bool
	}
}

// fail keeps the first error.
func (b *builder) fail(d diag.Diagnostic) {
	if b.failure == nil {
		d.Severity = diag.SeverityError
		b.failure = &d
	}
}

func (b *builder) warn(code diag.Code, span diag.Span, message, hint string) {
	if !b.in.NoWarnings && b.in.Meter.Work(50) && b.in.Meter.Hold(sizeOfWarning) {
		b.diags.Warn(code, span, message, hint)
	}
}

// operation adds the requests of one operation. It reports whether curl
// would stop there.
func (b *builder) operation(c *config) (stop bool) {
	if len(c.nodes) == 0 || !c.nodes[0].hasURL {
		b.fail(diag.Diagnostic{
			Code: diag.CodeNoURL, Span: b.command, Message: "the command has no URL",
			Hint: "add the URL of the request",
		})
		return true
	}
	if !c.settleMethod(b) {
		return true
	}
	if n, left := c.urls(), b.left(); n > left {
		b.tooMany(c.nodes[left].url.span(), n) // before any work is done for them
		return true
	}
	b.cookiesLoaded = false
	c.addJSONHeaders()
	if !b.in.NoWarnings {
		b.warnOperation(c)
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		if !n.hasURL {
			// curl stops at it for good: what follows --next is not sent.
			b.warn(diag.WarnExtraOutput, b.command, "the command has more -o, -O or -T than URLs; curl sends nothing after the last URL", "remove the extra ones")
			return true
		}
		if stop := b.node(c, n); stop {
			return true
		}
	}
	return false
}

// node adds the requests of one URL: of each URL that its globs stand for,
// times each file that the glob of -T stands for.
func (b *builder) node(c *config, n *node) (stop bool) {
	var one [1]string
	uploads, ok := b.uploads(one[:0], c, n)
	if !ok {
		return true
	}
	for _, upload := range uploads {
		urls := &b.memory.urls
		var err *diag.Diagnostic
		if *urls, err = b.urls(c, n); err != nil {
			b.fail(*err)
			return true
		}
		if urls.count > b.left() {
			b.tooMany(n.url.span(), urls.count)
			return true
		}
		for {
			text, ok := urls.next()
			if !ok {
				break
			}
			if stop := b.transfer(c, n, urls, text, upload); stop {
				return true
			}
		}
	}
	return false
}

// left returns how many more requests there may be.
func (b *builder) left() int64 { return int64(b.room.Total - b.room.Used - len(b.requests)) }

// tooMany gives up on a text that stands for more requests than are
// answered: with count more than there are already.
func (b *builder) tooMany(span diag.Span, count int64) {
	if already := int64(b.room.Used + len(b.requests)); count < math.MaxInt64-already {
		count += already
	}
	b.giveUp(diag.Diagnostic{
		Code: diag.CodeTooManyRequests, Span: span, Count: int(min(count, 1<<31-1)),
		Message: "this expands to " + strconv.FormatInt(count, 10) + " requests or more; the limit is " + strconv.Itoa(b.room.Total),
		Hint:    "make the ranges smaller, or pass fewer commands at a time; of a recording or collection, name one entry",
	})
}

func (b *builder) tooLarge(span diag.Span) { b.giveUp(b.in.Meter.Diagnostic(span)) }

// giveUp makes an error the answer, whatever requests there are already.
func (b *builder) giveUp(d diag.Diagnostic) {
	d.Severity = diag.SeverityError
	b.failure, b.requests = &d, nil
}
