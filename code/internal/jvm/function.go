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
const jvmNames = ` fieldText jsonText jsonValue pathSegment pathSegments address attempt body certificate chain client config connection connections cookie cookies credentials data deadline
	digest digestAuthenticator e encoded entity field form hash headers host in last location mac main managers next origin out
	pem proxy proxyCredentials proxyUri redirected redirects request response route same secure sendDigest session spec status timeouts
	tls transientErrors trustAll trusted uri url value versions`

// What is customary in the languages.
var (
	javaConvention = plan.Convention{Requires: javaRequires, Language: "java", File: "Main.java", Manifest: gradle, Naming: plan.Naming{Camel: true, Taken: strings.Fields(
		`abstract args assert boolean break byte case catch char class const continue default do double else enum extends false final finally
		float for goto if implements import instanceof int interface long native new null package private protected public return short
		static strictfp super switch synchronized this throw throws transient true try var void volatile while yield` + jvmNames)}}
	kotlinConvention = plan.Convention{Language: "kotlin", Manifest: plan.Manifest{File: "build.gradle.kts", Line: `implementation("$n:$v")`}, Naming: plan.Naming{Camel: true, Taken: strings.Fields(
		`as break class continue do else false for fun if interface is null object package return super this throw true try typealias
		typeof val var when while` + jvmNames)}}
	scalaConvention   = plan.Convention{Language: "scala", Manifest: plan.Manifest{File: "build.sbt", Line: `libraryDependencies += "$n" % "$v"`}}
	groovyConvention  = plan.Convention{Language: "groovy", Manifest: gradle}
	clojureConvention = plan.Convention{Language: "clojure", Manifest: plan.Manifest{File: "deps.edn", Line: `$n {:mvn/version "$v"}`}}

	gradle = plan.Manifest{File: "build.gradle", Line: `implementation "$n:$v"`}
)

// returns reports whether the call is the one whose response the function returns.
func (r *jvmCall) returns() bool { return r.p.IsFunction() && r.c.PrintsBoth(r.p.Options) }

// give writes the statement that prints an expression of a type, or returns it.
func (r *jvmCall) give(class, expr string) {
	if r.p.IsFunction() {
		r.p.Result = class
		r.do("return ", expr)
	} else {
		r.show(expr)
	}
}

// throws has a function of Java say that it may throw the exceptions of a class.
func throws(p *plan.Program, class string) {
	if p.IsFunction() && p.Target.Language == "java" {
		p.Use(class)
	}
}

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
	p.NoteParameters("/**\n * Sends the request.\n *", " * ", " */")
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
	p.NoteParameters("/**\n * Sends the request.\n *", " * ", " */")
	p.Node("fun "+p.FunctionName(), emit.Group("", "(", items, ")"), result+" {")
}
