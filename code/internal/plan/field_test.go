package plan

import "testing"

// TestImplyBeforeHeaders holds that nothing can take a field away that was written.
func TestImplyBeforeHeaders(t *testing.T) {
	for name, change := range map[string]func(*Call){
		"Imply":      func(c *Call) { c.Imply(c.Field("Content-Type")) },
		"Spell":      func(c *Call) { c.Spell("Content-Type") },
		"AddField":   func(c *Call) { c.AddField("Accept", nil) },
		"AddFirst":   func(c *Call) { c.AddFirst("Accept", nil) },
		"AddImplied": func(c *Call) { c.AddImplied("Accept", nil) },
		"LeavesType": func(c *Call) { c.LeavesType() },
	} {
		for list, write := range map[string]func(*Call){
			"Given":   func(c *Call) { c.Given() },
			"Headers": func(c *Call) { c.Headers() },
			"Joined":  func(c *Call) { c.Joined() },
			"ByName":  func(c *Call) { c.ByName() },
		} {
			c := &Call{headers: []Field{{Name: "Content-Type", Value: Literal(FormType), From: "-d"}}}
			panics := func() (value any) {
				defer func() { value = recover() }()
				write(c)
				change(c)
				return nil
			}() != nil
			if panics != (list != "Given") {
				t.Errorf("%s after %s panics: %t", name, list, panics)
			}
		}
	}
}

// TestEnclosing checks for which methods a client says the length of no content
// (RFC 9110, section 8.6: those whose content has a meaning that the client knows).
func TestEnclosing(t *testing.T) {
	for method, want := range map[string]bool{
		"POST": true, "PUT": true, "PATCH": true, "GET": false, "HEAD": false, "DELETE": false, "OPTIONS": false, "post": false, "": false,
	} {
		if got := Enclosing(method); got != want {
			t.Errorf("%s has content: %t", method, got)
		}
	}
}
