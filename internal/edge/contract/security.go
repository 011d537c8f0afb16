package contract

import (
	"slices"
	"strings"

	"uncoil/internal/edge/openapi"
	"uncoil/request"
)

// security holds the credentials of a request against what its operation requires: all
// schemes of one of the alternatives.
func (v *visit) security() {
	required := v.operation.Node.Get("security")
	if required == nil {
		required = v.Root.Get("security")
	}
	if required == nil || len(required.Items) == 0 || v.mayHaveCredentials() {
		return
	}
	var kinds []string
	for _, alternative := range required.Items {
		met := true
		for i := range alternative.Members {
			m := &alternative.Members[i]
			scheme := v.Resolve(v.Root.Get("components").Get("securitySchemes").Get(m.Name))
			met = met && v.has(scheme)
			if kind := schemeName(scheme); kind != "" && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
		if met {
			return
		}
	}
	wanted := strings.Join(kinds, " or ")
	if f := v.credentials(); f != nil {
		v.add(OtherCredentials, f.Span, required.Place(), v.operation.Name()+" takes "+wanted)
		return
	}
	if v.presumed {
		return // a server under development may want none
	}
	v.add(MissingCredentials, v.request.Span, required.Place(), v.operation.Name()+" requires "+wanted)
}

// credentials returns the field that has the credentials of a request, if any.
func (v *visit) credentials() *request.Field {
	for _, name := range []string{"Authorization", "Cookie", "X-API-Key", "Api-Key"} {
		if f := v.field(name); f != nil {
			return f
		}
	}
	if v.request.Auth != nil {
		return &request.Field{Span: v.request.Auth.Span}
	}
	return nil
}

// mayHaveCredentials reports whether a part of the request that is not known may hold
// the credentials: a file, or a field that is a variable as a whole.
func (v *visit) mayHaveCredentials() bool {
	return len(v.request.Missing) > 0 || slices.ContainsFunc(v.request.Fields, func(f request.Field) bool {
		return isPlaceholder(f.Name) || strings.EqualFold(f.Name, "Authorization") && f.Value != "" && isPlaceholder(firstWord(f.Value))
	})
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// has reports whether a request has the credentials of a scheme. One that cannot be seen
// in a request, or is not known, counts as there.
func (v *visit) has(scheme *openapi.Node) bool {
	name := scheme.TextOf("name")
	switch scheme.TextOf("type") {
	case "apiKey":
		switch scheme.TextOf("in") {
		case "header":
			return v.field(name) != nil
		case "query":
			return slices.ContainsFunc(v.request.Query, func(p request.Param) bool { return p.Name == name || isPlaceholder(p.Name) })
		case "cookie":
			_, ok := v.cookies()[name]
			return ok
		}
	case "http":
		return v.authorization(strings.ToLower(scheme.TextOf("scheme")))
	case "oauth2", "openIdConnect":
		return v.authorization("bearer")
	}
	return true
}

// authorization reports whether a request authenticates in a scheme of HTTP.
func (v *visit) authorization(scheme string) bool {
	if a := v.request.Auth; a != nil && (strings.EqualFold(a.Scheme, scheme) || slices.Contains(a.Schemes, scheme) || a.Scheme == "any") {
		return true
	}
	f := v.field("Authorization")
	return f != nil && strings.EqualFold(firstWord(f.Value), scheme)
}

// schemeName returns what to call the credentials of a scheme.
func schemeName(scheme *openapi.Node) string {
	switch scheme.TextOf("type") {
	case "apiKey":
		return "the " + scheme.TextOf("in") + " " + scheme.TextOf("name")
	case "http":
		return "Authorization: " + scheme.TextOf("scheme")
	case "oauth2", "openIdConnect":
		return "Authorization: Bearer"
	}
	return ""
}
