package javascript

import (
	"strings"

	"uncoil/code/internal/plan"
)

// failure writes what throws for a status of 400 and more.
func (r *jsRequest) failure(status string) {
	r.p.Line("if (", status, " >= 400) throw new Error(`HTTP ${", status, "}`);")
}

// notOK is failure for a response of fetch, which says itself whether its status is of success.
func (r *jsRequest) notOK(response string) {
	if !r.c.FailsOnly() {
		r.failure(response + ".status")
		return
	}
	r.p.Line("if (!", response, ".ok) throw new Error(`HTTP ${", response, ".status}`);")
}

// result writes what is done with the response; fail throws for a status.
func (r *jsRequest) result(a jsResponse, fail func()) {
	response := r.response()
	head := func() {
		status := response + a.status
		if a.reason != "" {
			status += ", " + response + a.reason
		}
		r.p.Line("console.log(", status, ");")
		r.p.Line("console.log(", response, a.headers, ");")
	}
	r.c.Report(r.p.Options, fail, head, func() { r.contentResult(a) }, func() {
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			if r.closing != "" {
				r.p.Line(r.closing)
				r.closing = ""
			}
			r.p.Line("return ", response, a.status, ";")
		}
		if t := r.c.WriteOutLine(r.p.Options, response+a.status); len(t) > 0 {
			r.p.Line("console.log(", Text(r.p, t).Line(), ");")
		}
	})
	if r.closing != "" {
		r.p.Line(r.closing)
	}
}

// contentResult writes what is done with the content of the response.
func (r *jsRequest) contentResult(a jsResponse) {
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		if inBrowser(r.p) {
			r.browserSave(a.bytes)
			return
		}
		r.p.Use(`import { writeFile } from "node:fs/promises";`)
		flag := r.nameOutput(a)
		if folder := r.c.Folder(); folder != nil {
			r.p.Use(`import { mkdir } from "node:fs/promises";`)
			r.p.Line("await mkdir(", Text(r.p, folder).Line(), ", { recursive: true });")
		}
		r.p.Line("await writeFile(", Text(r.p, r.c.Output()).Line(), ", ", a.bytes, flag, ");")
	case plan.ContentPrinted:
		streams := a.chunks != "" && r.c.Streams(r.p.Options)
		raw := rawContent[r.p.Target.Client]
		switch {
		case raw != "" && !inBrowser(r.p) && r.c.PrintsBytes(r.p.Options):
			r.p.Line("process.stdout.write(", strings.Replace(raw, "$", r.response(), 1), ");")
		case streams && r.p.IsFunction() && r.closing == "":
			r.p.InPieces = true
			r.returns("body", r.response()+a.status, a.chunks)
		case streams && !r.p.IsFunction():
			r.p.Line("for await (const chunk of ", a.chunks, ") process.stdout.write(chunk);")
		default:
			r.give(a)
		}
	case plan.HeadersPrinted:
		if r.p.IsFunction() {
			r.returns("headers", r.response()+a.status, r.response()+a.headers)
		}
	case plan.Captured:
		r.keepFields(a.headers)
		if !r.c.OnlyFields() {
			r.captures(a.json, a.text)
		}
	}
}
