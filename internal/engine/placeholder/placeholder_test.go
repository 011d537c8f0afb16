package placeholder

import "testing"

func TestLength(t *testing.T) {
	for text, want := range map[string]int{
		"{id}/x": 4, "{user-id}": 9, "{1}": 0, "{a,b}": 0, "{-a}": 0, "{}": 0, "{ id }": 0, "{é}": 4, "{id": 0,
		"{{ host }}": 10, "{{a | b('c')}}x": 14, "{{1}}": 5, "{{a": 0, "{{a}": 0,
		"<id>": 4, "<your host>": 11, "<a=b>": 0, "<>": 0, "id": 0, "": 0,
	} {
		if got := Length(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	long := make([]byte, Max)
	for i := range long {
		long[i] = 'a'
	}
	if got := Length("{" + string(long) + "}"); got != 0 {
		t.Errorf("a name of %d bytes is a placeholder of %d", Max, got)
	}
	if got := Length("{" + string(long[:Max-2]) + "}"); got != Max {
		t.Errorf("the longest placeholder has %d bytes", got)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{"YOUR_KEY": 8, "your-key&a": 8, "Your_1": 6, "YOUR_": 0, "YOURS": 0, "YOUR KEY": 0, "my_key": 0} {
		if got := Yours(text); got != want {
			t.Errorf("Yours %q: %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]bool{"API_KEY": true, "USER-ID": true, "A_1": true, "A__B": true, "KEY": false, "API_key": false, "_KEY": false, "KEY_": false, "1_A": false, "-A": false, "": false} {
		if got := IsCapitals(text); got != want {
			t.Errorf("IsCapitals %q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"<id": true, "<Id>": true, "</b>": false, "<1>": false, "< a>": false, "<": false, "": false} {
		if got := OpensAngle(text); got != want {
			t.Errorf("OpensAngle %q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"a...": true, "…": true, "a..b": false} {
		if got := Elides(text); got != want {
			t.Errorf("Elides %q: %v", text, got)
		}
	}
}
