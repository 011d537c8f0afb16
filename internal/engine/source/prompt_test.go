package source_test

import (
	"testing"

	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/proof/shelltest"

	"github.com/google/go-cmp/cmp"
)

// TestPrompted reads what people copy from a terminal of Windows: prompts, and
// what commands wrote.
func TestPrompted(t *testing.T) {
	for _, test := range []struct {
		name, src string
		dialect   source.Dialect
		want      [][]string
		codes     string
	}{
		{
			"cmd.exe", "C:\\>curl -X POST h/1 -d \"{\\\"a\\\":1}\"\r\ncurl: (56) Recv failure: it's reset\r\n\r\nC:\\>curl h/2\r\n{\r\n  \"a\": \"b & c\r\n}\r\n\r\nC:\\>",
			source.Cmd, [][]string{{"curl", "-X", "POST", "h/1", "-d", `{"a":1}`}, {"curl", "h/2"}},
			"pasted-noise pasted-noise pasted-noise pasted-noise pasted-noise",
		},
		{
			"cmd.exe, joined lines", "C:\\Users\\me> curl h ^\n  -H \"A: b\"\n<html>\n\ncurl h/2\n",
			source.Cmd, [][]string{{"curl", "h", "-H", "A: b"}, {"curl", "h/2"}}, "pasted-noise pasted-noise",
		},
		{
			"PowerShell", "PS C:\\> curl.exe -i `\n>>   -H 'A: b' `\n>>   h\nHTTP/1.1 200 OK\nDate: \"now\n\n  {it's}\n  PS C:\\> irm h/2\n\nid\n--\n 1\nPS C:\\>\n",
			source.PowerShell, [][]string{{"curl.exe", "-i", "-H", "A: b", "h"}, {"curl", "--url", "h/2", "--location"}},
			"pasted-noise pasted-noise pasted-noise pasted-noise pasted-noise",
		},
		{"PowerShell, in a list", "- PS C:\\> curl.exe -d 'a' h", source.PowerShell, [][]string{{"curl.exe", "-d", "a", "h"}}, "pasted-noise"},
		{
			"PowerShell, a table", "PS /home/me> $h = @{\n>>   A = 'b'\n>>   C = 'd'\n>> }\n>>\nPS /home/me> irm h -Headers $h\n$x = 'h/2'\ncurl $x",
			source.PowerShell, [][]string{{"curl", "--url", "h", "--header", "A: b", "--header", "C: d", "--location"}, {"curl", "h/2"}}, "pasted-noise pasted-noise",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := source.Split(test.src, source.Auto, nil, meter.New(len(test.src), meter.Limits{}, nil), nil)
			if r.Dialect != test.dialect {
				t.Errorf("read as %v", r.Dialect)
			}
			if diff := cmp.Diff(test.want, shelltest.Texts(r.Commands)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := shelltest.Codes(r.Diags); got != test.codes {
				t.Errorf("codes %q, want %q: %v", got, test.codes, r.Diags)
			}
		})
	}
}
