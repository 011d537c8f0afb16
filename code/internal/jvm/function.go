package jvm

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program writes otherwise where it is a function: how it begins, and what it returns.

// jvmNames are the names that programs give to what is in a function.
const jvmNames = ` fieldText jsonText jsonValue pathSegment pathSegments address attempt body certificate chain client config connection connections context cookie cookies credentials data deadline
	digest digestAuthenticator e encoded entity field form from hash headers host in last location mac main managers message next origin out
	pem plain proxy proxyCredentials proxyUri redirected redirects request response route same secure sendDigest session spec status timeouts
	tls to transientErrors trustAll trusted trusting uri url value versions`

// What is customary in the languages.
var (
	javaConvention = plan.Convention{Requires: javaRequires, Language: "java", TextJSON: true, File: "Main.java", Manifest: gradle, Naming: plan.Naming{Camel: true, Taken: strings.Fields(
		`abstract args assert boolean break byte case catch char class const continue default do double else enum extends false final finally
		float for goto if implements import instanceof int interface long native new null package private protected public return short
		static strictfp super switch synchronized this throw throws transient true try var void volatile while yield` + jvmNames)}}
	kotlinConvention = plan.Convention{Language: "kotlin", TextJSON: true, Manifest: plan.Manifest{File: "build.gradle.kts", Line: `implementation("$n:$v")`}, Naming: plan.Naming{Camel: true, Taken: strings.Fields(
		`as break class continue do else false for fun if interface is null object package return super this throw true try typealias
		typeof val var when while` + jvmNames)}}
	scalaConvention   = plan.Convention{Language: "scala", TextJSON: true, Manifest: plan.Manifest{File: "build.sbt", Line: `libraryDependencies += "$n" % "$v"`}}
	groovyConvention  = plan.Convention{Language: "groovy", TextJSON: true, Manifest: gradle}
	clojureConvention = plan.Convention{Language: "clojure", Manifest: plan.Manifest{File: "deps.edn", Line: `$n {:mvn/version "$v"}`}}

	gradle = plan.Manifest{File: "build.gradle", Line: `implementation "$n:$v"`}
)

// returns reports whether the call is the one whose response the function returns.
func (r *jvmCall) returns() bool { return r.p.IsFunction() && r.c.PrintsBoth(r.p.Options) }

// ends reports whether the function returns what the statements of the call end with.
func (r *jvmCall) ends() bool { return r.returns() || r.c.ReturnsOnlyStatus(r.p.Options) }

// give writes the statement that prints an expression of a type, or returns it, with the status
// where the function returns that.
func (r *jvmCall) give(class, expr, status string) {
	if r.p.IsFunction() {
		r.p.Node("return ", r.returned(class, expr, status), r.end)
	} else {
		r.show(expr)
	}
}

// decoded returns the type and the expression of the content of a response, of which these are
// those before it is decoded.
func (r *jvmCall) decoded(class, expr string) (string, string) {
	if !r.p.Options.DecodeJSON {
		return class, expr
	}
	r.p.Use("com.fasterxml.jackson.databind.ObjectMapper")
	if r.p.IsFunction() {
		r.p.Use("com.fasterxml.jackson.databind.JsonNode")
	}
	return "JsonNode", r.create + "ObjectMapper().readTree(" + expr + ")"
}

// returned returns what the function returns, an expression of a type, and the status where it
// returns that.
func (r *jvmCall) returned(class, expr, status string) emit.Node {
	switch isJava := r.create != ""; {
	case !r.c.ReturnsStatus(r.p.Options):
		r.p.Result = class
		return emit.Leaf(expr)
	case isJava:
		name := "content"
		if r.c.Destination(r.p.Options) == plan.HeadersPrinted {
			name = "headers"
		}
		r.p.Help("/** What a response has. */\npublic record Answer(" + class + " " + name + ", int status) {}")
		r.p.Result = "Answer"
		return emit.Group("new Answer", "(", []emit.Node{emit.Leaf(expr), emit.Leaf(status)}, ")")
	}
	r.p.Result = "Pair<" + class + ", Int>"
	return emit.Leaf(expr + " to " + status)
}

// giveStatus writes the statement that returns the status alone.
func (r *jvmCall) giveStatus(status string) {
	r.p.Result = "int"
	if r.create == "" {
		r.p.Result = "Int"
	}
	r.do("return ", status)
}

// throws has a function of Java say that it may throw the exceptions of a class.
func throws(p *plan.Program, class string) {
	if p.IsFunction() && p.Target.Language == "java" {
		p.Use(class)
	}
}

// javadoc is how both languages write the comment of a function.
var javadoc = plan.DocComment{Open: "/** ", Line: " * ", Close: " */", Apart: true}

// javaFunction writes the first line of a function.
func javaFunction(p *plan.Program) {
	items := p.DeclareParameters(func(one *plan.Parameter) string { return "String " + one.Name })
	thrown := "IOException"
	if slices.Contains(p.Imports, "java.net.http.HttpClient") || slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Retries() > 0 }) {
		thrown += ", InterruptedException"
	}
	if slices.Contains(p.Imports, "java.security.GeneralSecurityException") {
		thrown += ", GeneralSecurityException"
	}
	p.NoteFunction(&javadoc, p.Says("Sends", "returns"), "")
	p.Node("public static "+cmp.Or(p.Result, "void")+" "+p.FunctionName(), emit.Group("", "(", items, ")"), " throws "+thrown+" {")
}

// kotlinFunction writes the first line of a function.
func kotlinFunction(p *plan.Program) {
	items := p.DeclareParameters(func(one *plan.Parameter) string {
		if one.HasDefault {
			return one.Name + ": String = " + kotlinQuoted(one.Default)
		}
		return one.Name + ": String"
	})
	result := ""
	if p.Result != "" {
		result = ": " + p.Result
	}
	p.NoteFunction(&javadoc, p.Says("Sends", "returns"), "")
	p.Node("fun "+p.FunctionName(), emit.Group("", "(", items, ")"), result+" {")
}
