package code

import (
	"slices"
	"strings"
	"sync"

	"uncoil/diag"
	"uncoil/request"
)

// ForgetPrograms drops the memory that programs leave to others.
func ForgetPrograms() { programs = sync.Pool{} }

// Adds returns the names of the fields that the client of a program adds by
// itself.
func (t *Target) Adds(requests []request.Request) []string {
	for _, writer := range append([]*Target{t}, t.lower...) {
		if _, diags, _ := writer.compose(nil, nil, requests, Options{}, nil, false); diags.Err() == nil {
			return writer.client.adds.strings()
		}
	}
	return t.client.adds.strings()
}

func (names fieldNames) strings() (list []string) {
	for _, name := range names {
		list = append(list, string(name))
	}
	return list
}

// CanAll reports whether the client can do what curl can.
func (t *Target) CanAll() bool { return t.client.everything }

// Anyway writes the program that Append refuses to write.
func (t *Target) Anyway(requests []request.Request) ([]byte, diag.List) {
	return t.append(nil, nil, requests, Options{}, true)
}

// Spelled returns a request with the URL that the program has.
func (t *Target) Spelled(r *request.Request) *request.Request { return t.client.spelled(r) }

// Moved returns what the variables hold that Options.MoveSecrets makes.
func Moved(requests []request.Request) map[string]string {
	m := newMover(requests)
	for _, r := range slices.Clone(requests) {
		m.request(&r)
	}
	values := make(map[string]string)
	for key, name := range m.names {
		_, values[name], _ = strings.Cut(key, "=")
	}
	return values
}

// Noise returns a request without what only browsers send.
func Noise(r request.Request) request.Request { return without(r, isNoise, new([]string)) }

// JMeterText returns the string of a test plan for a text.
func JMeterText(s string) string {
	f := jmeterPlan{p: &program{target: &jmeter}, defined: make(map[string]bool)}
	return f.evaluated(literal(s))
}

// Unasked returns the challenges that the client does not answer as curl does. One
// that takes Basic for Digest does so for both.
func (t *Target) Unasked() []string {
	if t.client.anyAuth && !slices.Contains(t.client.unasked, "basic") {
		return append(slices.Clone(t.client.unasked), "basic")
	}
	return t.client.unasked
}

// After returns what the client does otherwise than curl when it is redirected.
func (t *Target) After() []string {
	if t.client.can("keepMethod") {
		return t.client.after
	}
	return append(slices.Clone(t.client.after), "method")
}
