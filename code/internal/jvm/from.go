package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// computes writes what the program asks the machine for.
func (r *jvmCall) computes() {
	for _, one := range r.c.Computes {
		if e, ok := one.From.(*request.Encoded); ok {
			r.p.Node(r.let+one.Name+" = ", r.encoded(one.Name, e), r.end)
			continue
		}
		r.do(r.let, one.Name, " = ", r.native(one.From))
	}
}

// native returns the expression for an operation of the machine.
func (r *jvmCall) native(from request.From) string {
	switch f := from.(type) {
	case *request.Date:
		return r.date(f)
	case *request.UUID:
		r.p.Use("java.util.UUID")
		return "UUID.randomUUID().toString()"
	case *request.Hostname:
		r.p.Use("java.net.InetAddress")
		return "InetAddress.getLocalHost().getHostName()"
	case *request.FileContent:
		r.p.Use("java.nio.file.Files")
		if f.Base64 {
			r.p.Use("java.util.Base64")
			return "Base64.getEncoder().encodeToString(Files.readAllBytes(" + r.path(plan.Literal(f.Name)) + "))"
		}
		return "Files.readString(" + r.path(plan.Literal(f.Name)) + ")" + r.withoutBreaks()
	}
	return ""
}

// jvmHashes are the names of hashes, by which the machine gives them.
var jvmHashes = map[string]string{"md5": "MD5", "sha1": "SHA-1", "sha224": "SHA-224", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512"}

// encoded returns the expression for a text in Base64, or for a hash or an HMAC, after the
// statements that make what computes that.
func (r *jvmCall) encoded(name string, e *request.Encoded) emit.Node {
	bytes := func(t plan.Text) emit.Node {
		return emit.Leaf(r.inner(r.p, t) + r.inBytes(0))
	}
	data := bytes(plan.EncodedText(e))
	switch {
	case e.Key != "":
		throws(r.p, "java.security.GeneralSecurityException")
		r.p.Use("javax.crypto.Mac")
		r.p.Use("javax.crypto.spec.SecretKeySpec")
		mac, algorithm := r.p.Bind("mac", name), emit.Leaf(r.Literal("Hmac"+strings.ReplaceAll(jvmHashes[e.Hash], "-", "")))
		r.p.Node(r.let+mac+" = ", method("Mac.getInstance", algorithm), r.end)
		r.p.Node(mac+".init(", method(r.create+"SecretKeySpec", bytes(plan.EncodedKey(e)), algorithm), ")"+r.end)
		data = method(mac+".doFinal", data)
	case e.Hash != "":
		throws(r.p, "java.security.GeneralSecurityException")
		r.p.Use("java.security.MessageDigest")
		data = method("MessageDigest.getInstance("+r.Literal(jvmHashes[e.Hash])+").digest", data)
	}
	if e.Base64 {
		r.p.Use("java.util.Base64")
		if e.URLSafe {
			return method("Base64.getUrlEncoder().withoutPadding().encodeToString", data)
		}
		return method("Base64.getEncoder().encodeToString", data)
	}
	r.p.Use("java.util.HexFormat")
	return method("HexFormat.of().formatHex", data)
}

// withoutBreaks returns the call that takes line breaks from the end of a text, as the
// shell does.
func (r *jvmCall) withoutBreaks() string {
	if r.create == "" { // Kotlin
		return `.trimEnd('\n')`
	}
	return ".replaceFirst(" + r.Literal(`\n+\z`) + ", " + r.Literal("") + ")"
}

// date returns an expression for a date.
func (r *jvmCall) date(d *request.Date) string {
	if before, after, ok := plan.Seconds(d); ok {
		r.p.Use("java.time.Instant")
		s := "Instant.now().getEpochSecond()"
		switch {
		case r.create == "": // Kotlin, which adds no text to a number
			s += ".toString()"
		case before == "" && after == "":
			return "Long.toString(" + s + ")"
		}
		return plan.Around(before, s, after, " + ", r.Literal)
	}
	r.p.Use("java.time.format.DateTimeFormatter")
	r.p.Use("java.time.LocalDateTime")
	now := "LocalDateTime.now()"
	if d.UTC {
		r.p.Use("java.time.ZoneOffset")
		now = "LocalDateTime.now(ZoneOffset.UTC)"
	}
	verbs := map[byte]string{'Y': "yyyy", 'm': "MM", 'd': "dd", 'H': "HH", 'M': "mm", 'S': "ss"}
	pattern := plan.Pattern(d, verbs, func(s string) string {
		if strings.Trim(s, " -:./") == "" {
			return s
		}
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	})
	return now + ".format(DateTimeFormatter.ofPattern(" + r.Literal(pattern) + "))"
}

// captures writes the statements that keep values of the response, whose content is an
// expression that may stand there once. let declares their variables.
func (r *jvmCall) captures(let, content string) {
	whole, picked := r.c.Captured()
	for i, name := range whole {
		if i > 0 {
			r.do(let, name, " = ", whole[0])
			continue
		}
		r.do(let, name, " = ", content, r.withoutBreaks())
		content = name
	}
	if len(picked) == 0 {
		return
	}
	r.p.Use("com.fasterxml.jackson.databind.ObjectMapper")
	data := r.create + "ObjectMapper().readTree(" + content + ")"
	if len(picked) > 1 {
		name := r.p.Bind("data", "of "+r.c.Captures[0].Name)
		r.do(r.let, name, " = ", data)
		data = name
	}
	for _, one := range picked {
		value := data + plan.Steps(one.Path, ".get(", ")", r.Literal)
		if one.Quoted {
			value += ".toString()"
		} else {
			value += ".asText()"
		}
		r.do(let, one.Name, " = ", value)
	}
}

// keepFields writes the statements that keep values of fields of the response, which throw where
// it has none of that name. field returns the expression for a value.
func (r *jvmCall) keepFields(let string, field func(name string) string) {
	for _, one := range r.c.HeaderValues() {
		value := field(r.Literal(one.Header))
		if one.Word > 0 {
			value += ".split(" + r.Literal(" ") + ")[" + emit.Itoa(one.Word-1) + "]"
		}
		r.do(let, one.Name, " = ", value)
	}
}

// takesJSON reports a call whose response is read as JSON.
func takesJSON(c *plan.Call) bool {
	_, picked := c.Captured()
	return len(picked) > 0
}

// jackson is what programs need that read JSON.
var jackson = []plan.Package{{Name: "com.fasterxml.jackson.core:jackson-databind", Version: "2.15.0", Import: "com.fasterxml.jackson"}}

// noteJackson names the library that reads JSON, where a call of the program does.
func noteJackson(p *plan.Program) {
	if p.Options.DecodeJSON || slices.ContainsFunc(p.Calls, takesJSON) {
		p.Comment("Needs com.fasterxml.jackson.core:jackson-databind.")
	}
}
