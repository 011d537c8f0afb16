package engine

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// A Use is an option of a command, or a URL that stands alone, and what it did.
type Use struct {
	Option *curl.Option
	// On is false for the --no- form, and for -N.
	On bool
	// Name is the option as typed; empty for a URL that stands alone.
	Name string
	// Span is where the name stands, or the URL; Argument where the argument does,
	// if the option takes one.
	Span, Argument diag.Span
	// First and Last are the requests that it is for, counted from 0, Last excluded.
	First, Last int
	// Effects are what it did to the first of these.
	Effects []Effect
}

// An Effect is a part of the full description that an option set.
type Effect struct {
	// Member is "method", "url", "headers", "removedHeaders", "body", "auth" or "options".
	Member string
	// Name is that of the header field, the form field or the option.
	Name string
	// Index is the place in the list of headers or of parts, or -1.
	Index int
}

// An Explainer adds to the Uses of a Result what the options of a command did to its
// requests, which come after those of the Result.
type Explainer func(r *Result, operations []curl.Operation, in *curl.Inputs, requests []request.Request)

// Explain is the Explainer. Who does not name it does not link it.
func Explain(r *Result, operations []curl.Operation, in *curl.Inputs, requests []request.Request) {
	recorded, from := in.Recorded, 0
	if len(recorded) == 0 {
		return
	}
	for o := range operations {
		n := 0
		for n < len(recorded) && recorded[n].Operation == o {
			n++
		}
		to := min(from+operations[o].Requests, len(requests))
		e := explainer{meter: in.Meter, settings: recorded[:n], requests: requests[from:to]}
		e.decide()
		e.index()
		if !r.addUses(&e, len(r.Requests)+from) {
			return
		}
		recorded, from = recorded[n:], to
	}
}

// useSteps is what a use costs.
const useSteps = 40

// addUses appends the uses of an operation, whose requests are the Result's from first
// on.
func (r *Result) addUses(e *explainer, first int) bool {
	for i := range e.settings {
		s := &e.settings[i].Setting
		if n := len(r.Uses); s.ID == curl.OptUrl && n > 0 && r.Uses[n-1].Span == s.Span {
			continue // the shell makes several URLs of this one
		}
		use := Use{Option: s.Option, On: s.On, Name: s.Name, Span: s.Span, First: first, Last: first + len(e.requests)}
		if s.TakesArgument() {
			use.Argument = s.Value.Span
		}
		e.effects(&use, s)
		if !e.meter.Work(useSteps) || !meter.Append(e.meter, &r.Uses, use) {
			return false
		}
	}
	return true
}

// An explainer finds what the options of one operation did.
type explainer struct {
	meter    *meter.Meter
	settings []curl.Recorded
	requests []request.Request      // that the operation makes
	placed   map[diag.Span][]Effect // what the first of these has from the place of an option
	method   *curl.Setting          // from which the method comes
	get      bool                   // -G
	// How many requests the URLs, and the options for their output, have passed.
	urls, outputs int
}

// effects sets what a setting did, and to which of the requests.
func (e *explainer) effects(use *Use, s *curl.Setting) {
	q := e.first(use, s)
	switch {
	case q == nil:
		return
	case s.ID == curl.OptOutput || s.ID == curl.OptRemoteName || s.ID == curl.OptOutNull:
		e.add(use, Effect{"options", outputOf(q).Name, -1})
		return
	}
	for _, effect := range e.placed[use.Span] {
		// Letters of one quoted word have one place.
		if effect.Member != "options" || s.Section != curl.Ignored && (s.Section == curl.InRequest || s.Section == curl.InDerivedOption || s.Member == effect.Name) {
			e.add(use, effect)
		}
	}
	e.byKind(use, s, q)
}

// first returns the first of the requests that a setting is for, and narrows them
// for those that are for one URL. Requests are in the order of their URLs, and these
// in that of the settings, so that no request is looked at twice for any number of them.
func (e *explainer) first(use *Use, s *curl.Setting) *request.Request {
	var at *int
	var place func(q *request.Request) diag.Span
	span := s.Span
	switch s.ID {
	case curl.OptUrl:
		at, span, place = &e.urls, s.Value.Span, func(q *request.Request) diag.Span { return q.Span }
	case curl.OptOutput, curl.OptRemoteName, curl.OptOutNull:
		at, place = &e.outputs, func(q *request.Request) diag.Span { return outputOf(q).Span }
	default:
		if len(e.requests) == 0 {
			return nil
		}
		return &e.requests[0]
	}
	for *at < len(e.requests) && e.meter.Work(useSteps) && place(&e.requests[*at]).Start < span.Start {
		*at++
	}
	from := *at
	for *at < len(e.requests) && e.meter.Work(useSteps) && place(&e.requests[*at]) == span {
		*at++
	}
	if from == *at {
		use.Last = use.First // none
		return nil
	}
	use.First, use.Last = use.First+from, use.First+*at
	return &e.requests[from]
}

// outputOf returns the option that says where the response of a request goes.
func outputOf(q *request.Request) request.Option {
	for _, o := range q.Options {
		switch o.Name {
		case "output", "remoteName", "discardOutput":
			return o
		}
	}
	return request.Option{}
}

// index notes what the first request has from the place of an option.
func (e *explainer) index() {
	if len(e.requests) == 0 {
		return
	}
	q := &e.requests[0]
	n := len(q.Fields) + len(q.Options) + 1
	if q.Body != nil {
		n += len(q.Body.Parts)
	}
	if !e.meter.Work(useSteps*n) || !e.meter.Hold(2*meter.SizeOf[Effect]()*n) {
		return
	}
	e.placed = make(map[diag.Span][]Effect, n)
	put := func(at diag.Span, effect Effect) {
		if at != (diag.Span{}) {
			e.placed[at] = append(e.placed[at], effect)
		}
	}
	listed := 0
	for i := range q.Fields {
		if f := &q.Fields[i]; f.Origin != request.OriginDefault {
			put(f.Span, Effect{"headers", f.Name, listed})
			listed++
		}
	}
	for i := range q.Options {
		put(q.Options[i].Span, Effect{"options", q.Options[i].Name, -1})
	}
	if q.Auth != nil {
		put(q.Auth.Span, Effect{"auth", "", -1})
	}
	if q.Body == nil {
		return
	}
	for i := range q.Body.Parts {
		put(q.Body.Parts[i].Span, Effect{"body", q.Body.Parts[i].Name, i})
	}
}

// byKind adds what has no place in the request.
func (e *explainer) byKind(use *Use, s *curl.Setting, q *request.Request) {
	if s == e.method {
		e.add(use, Effect{"method", "", -1})
	}
	switch s.ID {
	case curl.OptUrl, curl.OptUrlQuery, curl.OptRequestTarget:
		e.add(use, Effect{"url", "", -1})
	case curl.OptHeader:
		if name, value, _ := strings.Cut(s.Value.Text, ":"); value == "" {
			e.removed(use, q, name)
		}
	case curl.OptUserAgent:
		if s.Value.Text == "" {
			e.removed(use, q, "User-Agent")
		}
	case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptDataUrlencode, curl.OptJson:
		if e.get {
			e.add(use, Effect{"url", "", -1})
		} else if q.Body != nil {
			e.add(use, Effect{"body", "", -1})
		}
	case curl.OptUploadFile:
		if q.Body != nil {
			e.add(use, Effect{"body", "", -1})
		}
	case curl.OptAnyauth, curl.OptAwsSigv4, curl.OptBasic, curl.OptDigest, curl.OptNegotiate, curl.OptNtlm:
		if q.Auth != nil && use.On && (q.Auth.Span != use.Span) {
			e.add(use, Effect{"auth", "", -1})
		}
	}
}

// removed adds that a field is left out, where it is.
func (e *explainer) removed(use *Use, q *request.Request, name string) {
	if slices.ContainsFunc(q.Removed, func(removed string) bool { return ascii.EqualFold(removed, name) }) {
		e.add(use, Effect{"removedHeaders", name, -1})
	}
}

// decide finds -G, and the setting from which the method comes: the last -X, or else
// -I, -T, -G or the first of those that make a body (curl 8.22
// src/config2setopts.c and SetHTTPrequest() in src/tool_helpers.c).
func (e *explainer) decide() {
	best := 0
	for i := range e.settings {
		s := &e.settings[i].Setting
		rank := 0
		switch s.ID {
		case curl.OptRequest:
			rank = 4
		case curl.OptHead:
			rank = 3
		case curl.OptUploadFile:
			rank = 2
		case curl.OptGet:
			rank, e.get = 2, s.On
		case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptDataUrlencode, curl.OptJson, curl.OptForm, curl.OptFormString:
			rank = 1
		}
		if s.On && (rank > best || rank == 4) {
			e.method, best = s, rank
		}
	}
}

func (e *explainer) add(use *Use, effect Effect) {
	meter.Append(e.meter, &use.Effects, effect)
}
