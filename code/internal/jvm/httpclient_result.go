package jvm

import (
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program for HttpClient does with the response.

// result sends the request, and writes what is done with the response.
func (r *httpClientCall) result(client, request string) {
	r.p.Use("java.net.http.HttpResponse.BodyHandlers")
	handler := "ofString"
	to := r.c.Destination(r.p.Options)
	switch {
	case to == plan.ToFile || r.c.PrintsBytes(r.p.Options):
		handler = "ofInputStream"
	case r.lines():
		handler = "ofLines"
	case to == plan.HeadersPrinted, to == plan.Discarded && !r.p.Options.Bare, to == plan.Captured && r.c.OnlyFields():
		handler = "discarding"
	}
	handler = "BodyHandlers." + handler + "()"
	send := func(request string) string { return client + ".send(" + request + ", " + handler + ")" }
	answer := r.answer(client, handler)
	response := "response" + r.suffix
	switch {
	case r.loops():
		r.follow(request, response, send, answer)
	case r.c.Retries() > 0 && r.p.Target.Language == "java" && (r.c.Options.On("retryConnrefused") || r.c.Options.On("retryAllErrors")):
		r.againOnErrors(response, answer(request).Line(), handler)
	case r.c.Retries() > 0:
		r.again(response, answer(request).Line(), ".statusCode()", "")
	default:
		r.set("response", answer(request))
	}
	r.plainCookies()
	status := response + ".statusCode()"
	r.c.Report(r.p.Options, func() { r.checkStatus(status) }, func() {
		r.show(status)
		r.show(response + ".headers().map()")
	}, func() { r.contentResult(response, status) }, func() {
		if r.c.ReturnsOnlyStatus(r.p.Options) {
			r.giveStatus(status)
		}
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.show(r.text(t))
		}
	})
}

// contentResult writes what is done with the content of a response, or with its fields.
func (r *httpClientCall) contentResult(response, status string) {
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		if r.p.Target.Language == "java" && r.c.NamedByResponse() {
			r.nameOutput(response + ".headers()")
		}
		r.save(response + ".body()")
	case plan.HeadersPrinted:
		if r.returns() {
			r.p.Use("java.net.http.HttpHeaders")
			r.give("HttpHeaders", response+".headers()", status)
		}
	case plan.ContentPrinted:
		switch {
		case r.c.PrintsBytes(r.p.Options):
			r.do(response, ".body().transferTo(System.out)")
			r.do("System.out.flush()")
		case r.p.IsFunction() && !r.p.Options.DecodeJSON && r.c.ReturnsStatus(r.p.Options):
			r.p.Use("java.net.http.HttpResponse") // which has both
			r.p.Result = "HttpResponse<" + r.contentClass() + ">"
			r.do("return ", response)
		case r.p.IsFunction() && r.lines():
			r.p.Result = r.contentClass()
			r.do("return ", response, ".body()")
		case !r.lines():
			class, content := r.decoded("String", response+".body()")
			r.give(class, content, status)
		case r.p.Target.Language == "java":
			r.do(response, ".body().forEach(System.out::println)")
		default:
			r.p.Line(response, ".body().forEach { println(it) }")
		}
	case plan.Captured:
		r.keepFields(r.let, func(name string) string { return response + ".headers().firstValue(" + name + ").orElseThrow()" })
		r.captures(r.let, response+".body()")
	}
}

// contentClass returns the type of the content that a function returns.
func (r *httpClientCall) contentClass() string {
	if !r.lines() {
		return "String"
	}
	r.p.Use("java.util.stream.Stream")
	r.p.InPieces = true
	return "Stream<String>"
}

// nameOutput writes the statements that take the name of the file from the response.
func (r *httpClientCall) nameOutput(headers string) {
	r.p.Use("java.util.regex.Pattern")
	name, disposition := "outputName"+r.suffix, "disposition"+r.suffix
	pattern := emit.Wrapped("Pattern.compile", emit.Leaf(jvmString("(?i)"+plan.FilenamePattern)))
	r.p.Node("var "+disposition+" = ", pattern, ".matcher("+headers+`.firstValue("Content-Disposition").orElse(""));`)
	r.p.Line("var ", name, " = ", disposition, ".find() ? ", disposition, ".group(1) : ", r.text(r.c.NameOutput(name)), ";")
}

// againOnErrors is again where errors of the connection ask for another try, too.
func (r *httpClientCall) againOnErrors(response, send, handler string) {
	retry := r.c.Retry()
	attempt := "attempt" + r.suffix
	r.p.Use("java.net.http.HttpResponse")
	class := "java.io.IOException"
	if !retry.Errors {
		class = "java.net.ConnectException"
	}
	r.p.Use(class)
	late := strings.Replace(r.deadline(retry, ".isAfter("), " && ", " || ", 1)
	last := attempt + " == " + strconv.FormatInt(retry.Count, 10) + late
	done := response + ".statusCode() < 400"
	if !r.c.AnyStatus(retry) {
		done = "!" + r.set("transientErrors", emit.Leaf(r.listOf(plan.RetryStatuses))) + ".contains(" + response + ".statusCode())"
	}
	types := map[string]string{"BodyHandlers.ofString()": "String", "BodyHandlers.ofInputStream()": "InputStream", "BodyHandlers.discarding()": "Void"}
	if types[handler] == "InputStream" {
		r.p.Use("java.io.InputStream")
	}
	r.do("HttpResponse<", types[handler], "> ", response)
	r.p.Block("for (var "+attempt+" = 0; ; "+attempt+"++) {", func() {
		r.p.Block("try {", func() {
			r.do(response, " = ", send)
			for _, ends := range []string{done, last} {
				r.p.Block("if ("+ends+") {", func() { r.do("break") })
				r.p.Line("}")
			}
		})
		r.p.Block("} catch ("+class[strings.LastIndexByte(class, '.')+1:]+" e) {", func() {
			r.p.Block("if ("+last+") {", func() { r.do("throw e") })
			r.p.Line("}")
		})
		r.p.Line("}")
		r.sleep(retry, attempt)
	})
	r.p.Line("}")
}
