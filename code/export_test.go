package code

import (
	"slices"
	"strings"
	"sync"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/files"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/rewrite"
	"uncoil/diag"
	"uncoil/internal/engine/edit"
	"uncoil/request"
)

// ForgetPrograms drops the memory that programs leave to others.
func ForgetPrograms() { plan.Programs = sync.Pool{} }

// Adds returns the names of the fields that the client of a program adds by
// itself.
func (t Target) Adds(requests []request.Request) []string {
	for _, writer := range append([]*plan.Target{t.plan}, t.plan.Fallbacks...) {
		if w := writer.Compose(nil, nil, requests, plan.Options{Style: plan.Exact}, nil, false); w.Diags.Err() == nil {
			return spelled(writer.Facts.Adds)
		}
	}
	return spelled(t.plan.Facts.Adds)
}

func spelled(names plan.FieldNames) (list []string) {
	for _, name := range names {
		list = append(list, string(name))
	}
	return list
}

// CanAll reports whether the client can do what curl can.
func (t Target) CanAll() bool { return t.plan.Facts.Everything }

// Anyway writes the program, in exact style, that Append refuses to write.
func (t Target) Anyway(requests []request.Request, o Options) ([]byte, diag.List) {
	w := t.plan.Try(nil, nil, requests, plan.Options{Style: plan.Exact, Switches: o.switches()}, true)
	return w.Out, w.Diags
}

// Spelled returns a request with the URL that the program has.
func (t Target) Spelled(r *request.Request) *request.Request { return t.plan.Facts.Spelled(r) }

// Moved returns what the variables hold that Options.MoveSecrets makes.
func Moved(requests []request.Request) map[string]string {
	m := rewrite.NewMover(requests)
	for _, r := range slices.Clone(requests) {
		m.Request(&r)
	}
	values := make(map[string]string)
	for key, name := range m.Names {
		if !strings.HasPrefix(key, "$(") && !strings.HasPrefix(key, name+":-") { // of a command, or without its default
			_, values[name], _ = strings.Cut(key, "=")
		}
	}
	return values
}

// Filled returns what placeholders the variables stand for that Options.Placeholders makes.
func Filled(requests []request.Request, environment bool) map[string]string {
	filled, _, _ := rewrite.Placeholders(nil, requests, environment)
	values := make(map[string]string)
	for i := range filled {
		for _, v := range filled[i].Variables {
			values[v.Name] = v.Expr
		}
	}
	return values
}

// Noise returns a request without what only browsers send.
func Noise(r request.Request) request.Request {
	edit.DropFields(&r, rewrite.IsNoise)
	return r
}

// JMeterText returns the string of a test plan for a text.
func JMeterText(s string) string {
	f := files.JmeterPlan{P: &plan.Program{Target: &files.JMeter}, Defined: make(map[string]bool)}
	return f.Evaluated(plan.Literal(s))
}

// Taken returns the names that no parameter has.
func (t Target) Taken() []string { return t.plan.Naming.Taken }

// Compose is Append with errors and warnings in one list.
func (t Target) Compose(dst []byte, requests []request.Request, o Options) ([]byte, diag.List) {
	p, diags := t.WriteAll(dst, requests, o)
	return p.Code, diags
}

// WriteAll is Write with errors and warnings in one list.
func (t Target) WriteAll(dst []byte, requests []request.Request, o Options) (Program, diag.List) {
	return t.WriteMetered(dst, requests, o, emit.MeterFor(requests), 0)
}

// Unasked returns the challenges that the client does not answer as curl does. One
// that takes Basic for Digest does so for both.
func (t Target) Unasked() []string {
	if t.plan.Facts.AnyAuth && !slices.Contains(t.plan.Facts.Unasked, "basic") {
		return append(slices.Clone(t.plan.Facts.Unasked), "basic")
	}
	return t.plan.Facts.Unasked
}

// After returns what the client does otherwise than curl when it is redirected.
func (t Target) After() []string {
	if t.plan.Facts.Insists {
		return t.plan.Facts.After
	}
	return append(slices.Clone(t.plan.Facts.After), "method")
}
