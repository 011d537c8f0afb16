package javascript

import (
	"strings"

	"uncoil/code/internal/plan"
)

// TypeScript is fetch of Node with the types that the compiler asks for with --strict.
var TypeScript = plan.Target{
	Name: "typescript", Convention: &tsConvention, Client: "fetch", Version: "Node 20", Kind: plan.Code, Extension: "ts",
	Packages: []plan.Package{{Name: "undici", Version: "6.0.0", Import: `"undici"`}},
	Aliases:  []string{"ts", "typescript-fetch"}, Proven: true, Style: style, Write: writeFetch, Takes: plan.AnyFrom, Tries: tries, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Fallbacks: []*plan.Target{typescriptOf(&Undici), typescriptOf(&HTTP), typescriptOf(&Got)},
	Facts:     fetchFacts,
}

// typescriptOf returns a client of JavaScript whose programs have types.
func typescriptOf(t *plan.Target) *plan.Target {
	typed := *t
	typed.Convention, typed.Extension, typed.Variants = &tsConvention, "ts", nil
	return &typed
}

// inTypeScript reports a program with types.
func inTypeScript(p *plan.Program) bool { return p.Target.Language == "typescript" }

// typed returns the type of a name that is declared, where the program has types.
func (r *jsRequest) typed(name string) string {
	if !inTypeScript(r.p) {
		return ""
	}
	return ": " + name
}

// asserted returns what says of an expression that it is not null.
func (r *jsRequest) asserted() string {
	if !inTypeScript(r.p) {
		return ""
	}
	return "!"
}

// caught returns the expression for the code of what a request threw, after the statement
// that names it where the program has types.
func (r *jsRequest) caught(code string) string {
	if !inTypeScript(r.p) {
		return "error" + code
	}
	r.p.Line("const code = (error as { cause?: { code?: string } })", code, ";")
	return "code"
}

// typedHelper returns a function with the types of its parameters.
func typedHelper(p *plan.Program, helper string) string {
	if !inTypeScript(p) {
		return helper
	}
	if p.IsFunction() {
		helper = anyTypes.Replace(helper)
	}
	if p.Target.Client == "fetch" {
		helper = fetchHeaders.Replace(helper)
	}
	return parameterTypes.Replace(helper)
}

// anyTypes gives those that write JSON of a parameter its type.
var anyTypes = strings.NewReplacer("jsonValue(value) {", "jsonValue(value: unknown) {", "jsonElements(value) {", "jsonElements(value: unknown) {")

// parameterTypes gives the functions of the programs the types of their parameters.
var parameterTypes = strings.NewReplacer(
	"(latin1)", "(latin1: string)", "(value) {", "(value: string) {",
	"(challenge, method, uri, user, password)", "(challenge: string, method: string, uri: string, user: string, password: string)",
	"(name) =>", "(name: string) =>",
	"(...parts) => ", "(...parts: (string | undefined)[]) =>\n    ",
	"fetchDigest(url, { user, password, ...settings }) {",
	"fetchDigest(\n  url: string | URL,\n  { user, password, ...settings }: RequestInit & { user: string; password: string },\n) {",
	"requestDigest(url, { user, password, ...settings }) {",
	"requestDigest(\n  url: string | URL,\n  {\n    user,\n    password,\n    ...settings\n  }: NonNullable<Parameters<typeof request>[1]> & { user: string; password: string },\n) {",
	"askDigest(client, url, { user, password, ...settings }, content) {",
	"askDigest(\n  client: any,\n  url: string | URL,\n  { user, password, ...settings }: any,\n  content?: string | Uint8Array,\n) {",
	"async (content) =>", "async (content?: string | Uint8Array) =>",
	"gotDigest(user, password)", "gotDigest(user: string, password: string)",
	"(response, sendAgain) =>", "(response: any, sendAgain: any) =>",
)

// fetchHeaders spreads fields that may be those of another request.
var fetchHeaders = strings.NewReplacer(
	"{ ...settings.headers, Authorization: answer }", "{ ...Object.fromEntries(new Headers(settings.headers)), Authorization: answer }",
)

// responseType returns the type of a response that is declared before it is there.
func (r *jsRequest) responseType() string {
	switch r.p.Target.Client {
	case "undici":
		if inTypeScript(r.p) {
			importUndici(r.p, "type Dispatcher")
		}
		return "Dispatcher.ResponseData"
	case "fetch":
		return "Response"
	}
	return "any"
}
