package api

import (
	"cmp"
	"errors"
	"time"

	"uncoil/internal/engine"
	"uncoil/internal/engine/compare"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/render"
)

// A Pair is two requests that are compared.
type Pair struct{ A, B Request }

// A SideError is an error of one side of a Pair. Its problem document has the member.
type SideError struct {
	Side string // "a" or "b"
	Err  error
}

// Error returns the side and what is wrong there.
func (e *SideError) Error() string { return e.Side + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *SideError) Unwrap() error { return e.Err }

// pairHint shows the shape of a pair.
const pairHint = `send {"a": "curl …", "b": "curl …"}, where each may be a request object, too`

// DecodePair reads the object of two texts or request objects, a and b. The error, if any, is an
// *Error, of one side in a *SideError.
func (l Limits) DecodePair(src string) (p Pair, err error) {
	d := decoder{Reader: jsontext.NewReader(src, cmp.Or(l.Depth, DefaultDepth)), src: src}
	sides := map[string]*Request{"a": &p.A, "b": &p.B}
	if d.Peek() != '{' {
		return p, &Error{Message: "the JSON must be an object with the members a and b", Hint: pairHint}
	}
	var found [2]bool
	ok := d.Object(func(name string, offset int) bool {
		r := sides[name]
		d.Peek()
		start := d.Pos()
		if !d.Skip() {
			return false
		}
		if r == nil {
			return true
		}
		if found[name[0]-'a'] {
			err = cmp.Or(err, error(&Error{Offset: offset, Member: name, Message: "the member " + name + " is there twice", Hint: pairHint}))
		}
		found[name[0]-'a'] = true
		var bad error
		if *r, bad = l.side(src[start:d.Pos()]); bad != nil && err == nil {
			if e, ok := errors.AsType[*Error](bad); ok {
				e.Offset += start
			}
			err = &SideError{name, bad}
		}
		return true
	})
	switch {
	case !ok:
		return p, &Error{Offset: d.Err().Offset, Message: d.Err().Message, Hint: pairHint}
	case err != nil:
		return p, err
	case d.Peek() != 0 || d.Pos() < len(src):
		return p, &Error{Offset: d.Pos(), Message: "text follows the end of the object", Hint: pairHint}
	case !found[0]:
		return p, &Error{Offset: d.Pos(), Member: "a", Message: `the member "a" is missing`, Hint: pairHint}
	case !found[1]:
		return p, &Error{Offset: d.Pos(), Member: "b", Message: `the member "b" is missing`, Hint: pairHint}
	}
	return p, nil
}

// side reads one side of a pair: a string, or a request object.
func (l Limits) side(src string) (Request, error) {
	if src[0] != '"' {
		return l.DecodeRequest(src)
	}
	text, _ := jsontext.Unquote(src)
	return l.Text(text), nil
}

// A Comparison is what differs between a Pair.
type Comparison struct {
	Differences []compare.Difference
	A, B        *engine.Result
}

// Compare compares both sides. The time is now unless the requests set it. The error, if any, is a
// *SideError or an *engine.Error.
func (p *Pair) Compare() (*Comparison, error) {
	a, err := p.A.side("a")
	if err != nil {
		return nil, err
	}
	b, err := p.B.side("b")
	if err != nil {
		return nil, err
	}
	list, err := engine.Diff(a, b)
	if err != nil {
		return nil, err
	}
	return &Comparison{list, a, b}, nil
}

// Append appends what differs as JSON:
//
//	{"verdict": "different",
//	 "differences": [{"request": 1, "kind": "query", "name": "page", "a": "1", "b": "2"}],
//	 "a": {"shell": "posix", "requests": 1, "warnings": […]}, "b": …}
//
// The error, if any, is an *engine.Error, and dst is then returned unchanged.
func (c *Comparison) Append(dst []byte) ([]byte, error) {
	o := jsontext.NewObject(dst)
	o.Plain("verdict", string(compare.VerdictOf(c.Differences)))
	o.Key("differences")
	o.Dst = compare.AppendJSON(o.Dst, c.Differences)
	o.Key("a")
	o.Dst = appendSide(o.Dst, c.A)
	o.Key("b")
	o.Dst = appendSide(o.Dst, c.B)
	out := o.End()
	if len(out)-len(dst) > c.A.MaxAnswer() {
		return dst, c.A.TooLong()
	}
	return out, nil
}

// appendSide appends how a text was read.
func appendSide(dst []byte, r *engine.Result) []byte {
	o := jsontext.NewObject(dst)
	o.String("shell", r.Shell)
	o.Int("requests", int64(len(r.Requests)))
	o.Key("warnings")
	o.Dst = render.AppendWarnings(o.Dst, r.Warnings, r.Source())
	return o.End()
}

// Answer is Compare and Append.
func (p *Pair) Answer(dst []byte) ([]byte, error) {
	c, err := p.Compare()
	if err != nil {
		return dst, err
	}
	return c.Append(dst)
}

// side parses one side of a pair.
func (r *Request) side(name string) (*engine.Result, error) {
	in := r.Input
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	result, err := engine.Parse(r.Curl, in)
	if err != nil {
		return nil, &SideError{name, err}
	}
	return result, nil
}

// AnswerPair answers an object of two texts for a program of another language, as AnswerObject
// answers one.
func (l Limits) AnswerPair(text string) (body []byte, status int) {
	return l.answered("request object", text, func() ([]byte, error) {
		p, err := l.DecodePair(text)
		if err != nil {
			return nil, err
		}
		return p.Answer(nil)
	})
}
