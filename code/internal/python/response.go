package python

import (
	"cmp"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// A response has the expressions for what a client has of a response, the statements
// that write its content to the file output as it comes, and the loop over its lines, which
// are bytes. Without them it is read at once.
type response struct {
	status, reason, headers, content, json, text string
	class                                        string // of headers; "": that of a mapping
	save                                         []string
	ended                                        string // whether the response ended early, where that is no error in a file
	short                                        string // the same, where it is none in print either
	lines                                        string // a loop over lines, or over chunks of text
	ends                                         bool   // lines have their ends
	noneLacks                                    bool   // headers give None for a field that is not there
}

// result writes what is done with the response; fail ends the program for a status.
func (r *pythonRequest) result(a response, fail func()) {
	head := func() {
		r.p.Line("print(", a.status, ", ", a.reason, ")")
		r.p.Line("print(", a.headers, ")")
	}
	r.c.Report(r.p.Options, fail, head, func() { r.contentResult(a) }, func() {
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			r.returns("", "", a.status)
		}
		if t := r.c.WriteOutLine(r.p.Options, a.status); len(t) > 0 {
			r.p.Node("print(", pythonText(r.p, t), ")")
		}
	})
}

// nameOutput writes the statements that take the name of the file from the response.
func (r *pythonRequest) nameOutput(headers string) {
	r.p.Use("import re")
	field := emit.Leaf(headers + `.get("Content-Disposition", "")`)
	r.p.Node("disposition = ", emit.Group("re.search", "(", []emit.Node{emit.Leaf("r'" + plan.FilenamePattern + "'"), field, emit.Leaf("re.I")}, ")"), "")
	r.p.Node("output_name = ", emit.Leaf("disposition[1] if disposition else "+pythonText(r.p, r.c.NameOutput("output_name")).Line()), "")
}

// contentResult writes what is done with the content of the response.
func (r *pythonRequest) contentResult(a response) {
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		mode := "wb"
		if r.c.NamedByResponse() {
			r.nameOutput(a.headers)
			mode = "xb"
			if a.save == nil {
				a.save = []string{"output.write(" + a.content + ")"}
			}
		}
		if a.save == nil || r.c.Folder() != nil {
			r.p.Use("from pathlib import Path")
		}
		if folder := r.c.Folder(); folder != nil {
			r.p.Node("Path(", pythonText(r.p, folder), ").mkdir(parents=True, exist_ok=True)")
		}
		if a.save == nil {
			r.p.Node("Path(", pythonText(r.p, r.c.Output()), ").write_bytes("+a.content+")")
			return
		}
		r.p.Node("with open(", pythonText(r.p, r.c.Output()), `, "`+mode+`") as output:`)
		for _, s := range a.save {
			if strings.HasPrefix(s, "shutil.") {
				r.p.Use("import shutil")
			}
			r.p.Line(r.p.Indent, s)
		}
		if ended := cmp.Or(a.ended, a.short); ended != "" {
			r.p.Line(r.p.Indent, "if ", ended, ":")
			r.p.Line(r.p.Indent, r.p.Indent, "raise ", r.exception(), `("the response is incomplete")`)
		}
	case plan.ContentPrinted:
		switch {
		case r.c.PrintsBytes(r.p.Options):
			r.p.Use("import sys")
			if len(r.p.Calls) > 1 || r.c.PrintsHead(r.p.Options) {
				r.p.Line("sys.stdout.flush()  # what print holds back comes first")
			}
			r.p.Line("sys.stdout.buffer.write(", a.content, ")")
			r.whole(a)
		case a.lines == "" || !r.c.Streams(r.p.Options):
			r.give(a)
			r.whole(a)
		case r.p.IsFunction():
			r.yield(a.lines)
		case strings.Contains(a.lines, "for chunk in"):
			r.p.Line(a.lines)
			r.p.Line(r.p.Indent, `print(chunk, end="", flush=True)`)
		case a.ends:
			r.p.Line(a.lines)
			r.p.Line(r.p.Indent, `print(line.decode(errors="replace"), end="", flush=True)`)
		default:
			r.p.Line(a.lines)
			r.p.Line(r.p.Indent, `print(line.decode(errors="replace"), flush=True)`)
		}
	case plan.HeadersPrinted:
		if r.p.IsFunction() {
			if a.class == "http.client.HTTPMessage" {
				r.p.Use("import http.client")
			}
			r.returns(cmp.Or(a.class, "Mapping[str, str]"), a.headers, a.status)
		}
	case plan.Captured:
		r.keepFields(a)
		if !r.c.OnlyFields() {
			r.captures(a.json, a.text)
		}
	}
}

// endsEarly returns an expression that says whether a response of urllib3 ended early, which is the
// end to its version 1 where a program reads it in pieces; "" where no length is known.
func (r *pythonRequest) endsEarly(raw string) string {
	if !r.c.Measured(r.p.Options) {
		return ""
	}
	return raw + `.tell() < int(response.headers.get("Content-Length", 0))`
}

// whole ends the program where it has printed less than the response said.
func (r *pythonRequest) whole(a response) {
	if a.short != "" {
		r.p.Line("if ", a.short, ":")
		r.p.Line(r.p.Indent, "raise ", r.exception(), `("the response is incomplete")`)
	}
}

// exception returns the exception for what clients take for a success: one that ends a
// program with a message, unless it is a function, which others call.
func (r *pythonRequest) exception() string {
	if r.p.IsFunction() {
		return "RuntimeError"
	}
	return "SystemExit"
}

// give writes the statement that prints the content, or returns it.
func (r *pythonRequest) give(a response) {
	content := a.text
	if r.p.Options.DecodeJSON {
		content = a.json
		if strings.HasPrefix(content, "json.") {
			r.p.Use("import json")
		}
	}
	class := "str"
	if r.p.Options.DecodeJSON {
		class = "Any"
	}
	if r.p.IsFunction() {
		r.returns(class, content, a.status)
	} else {
		r.p.Line("print(", content, ")")
	}
}

// A pythonRetry has what a client needs for a loop that tries again.
type pythonRetry struct {
	sleep, status   string // the call that waits some seconds; the status of the response
	refused, errors string // the exceptions for a refused connection, and for all errors
	catches         bool   // the statements that send the request are in a try already
}

// again writes what get does, in a loop where it tries again, as curl does: curl
// 8.22 src/tool_operate.c.
func (r *pythonRequest) again(a pythonRetry, get func()) {
	retry := r.c.Retry()
	if retry.Count == 0 {
		get()
		return
	}
	late := ""
	if a.sleep != "time.sleep" {
		r.p.Use("import asyncio")
	}
	if a.sleep == "time.sleep" || retry.MaxTime > 0 {
		r.p.Use("import time")
	}
	if retry.MaxTime > 0 {
		late = " or time.monotonic() > deadline"
		r.p.Line("deadline = time.monotonic() + ", emit.Seconds(retry.MaxTime))
	}
	wait := "2 ** (attempt - 1)"
	if retry.Delay > 0 {
		wait = emit.Seconds(retry.Delay)
	}
	r.p.Block("for attempt in range("+strconv.FormatInt(retry.Count+1, 10)+"):", func() {
		r.p.Line("if attempt:")
		r.p.Line(r.p.Indent, a.sleep, "(", wait, ")")
		r.pythonTry(a, retry, late, get)
		if r.c.AnyStatus(retry) {
			r.p.Line("if ", a.status, " < 400", late, ":")
		} else {
			r.p.Line("if ", a.status, " not in (", plan.RetryStatuses, "):")
		}
		r.p.Line(r.p.Indent, "break")
		if late != "" && !r.c.AnyStatus(retry) {
			r.p.Line("if ", strings.TrimPrefix(late, " or "), ":")
			r.p.Line(r.p.Indent, "break")
		}
	})
}

// pythonTry writes what get does, and catches errors after which the loop goes on.
func (r *pythonRequest) pythonTry(a pythonRetry, retry plan.Retry, late string, get func()) {
	if !retry.Refused {
		get()
		return
	}
	if a.catches {
		get()
	} else {
		r.p.Block("try:", get)
	}
	except := a.refused
	if retry.Errors {
		except = a.errors
	}
	r.p.Line("except ", except, ":")
	r.p.Line(r.p.Indent, "if attempt == ", strconv.FormatInt(retry.Count, 10), late, ":")
	r.p.Line(r.p.Indent, r.p.Indent, "raise")
	r.p.Line(r.p.Indent, "continue")
}
