package jvm

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// form writes the statement that encodes form pairs, in Java, and returns its variable.
func (r *httpClientCall) form() (string, bool) {
	form := r.c.Content.Form
	if r.let != "var " || r.p.Exact() || r.c.Content.Kind != plan.RawBody || r.c.IsOnePair(&plan.EncodeWHATWG, true) || !r.c.IsForm(&plan.EncodeWHATWG) {
		return "", false
	}
	for _, name := range []string{"java.net.URLEncoder", "java.nio.charset.StandardCharsets", "java.util.Map", "java.util.stream.Collectors", "java.util.stream.Stream"} {
		r.p.Use(name)
	}
	entries := make([]emit.Node, len(form))
	for i, p := range form {
		name := string(plan.EncodeWHATWG.Escape(nil, p.Name.Source()))
		entries[i] = emit.Group("Map.entry", "(", []emit.Node{emit.Leaf(r.Literal(name)), emit.Leaf(r.text(plan.Decoded(p.Value)))}, ")")
	}
	return r.build("form", emit.Group("Stream.of", "(", entries, ")"),
		emit.Leaf(`.map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))`),
		emit.Leaf(`.collect(Collectors.joining("&"))`)), true
}
