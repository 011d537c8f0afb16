package curl

import (
	"testing"

	"uncoil/internal/engine/meter"
)

// benchArgs are commands as documentation has them.
var benchArgs = map[string][]string{
	"get":     {"https://api.example.com/v1/items?page=2"},
	"post":    {"-X", "POST", "https://api.example.com/v1/users", "-H", "Content-Type: application/json", "-H", "Authorization: Bearer abc.def", "-d", `{"name":"Ann","age":41}`},
	"long":    {"--request", "POST", "--url", "https://api.example.com/v1/users", "--header", "Accept: application/json", "--header", "Content-Type: application/json", "--data", `{"name":"Ann","age":41}`},
	"cluster": {"-sSLXPUT", "--data-binary=@body.json", "-uann:secret", "--insecure", "--max-time", "30", "http://localhost:8080/x"},
	"form":    {"-F", "avatar=@me.png", "-F", "note=hello;type=text/markdown", "-u", "ann:pw", "https://api.example.com/me"},
}

func BenchmarkParseArgs(b *testing.B) {
	for name, args := range benchArgs {
		b.Run("command="+name, func(b *testing.B) {
			argv := words(args...)
			in := &Inputs{Meter: meter.New(0, meter.Limits{Work: 1 << 60, Bytes: 1 << 60}, nil)}
			b.ReportAllocs()
			for b.Loop() {
				if _, diags := ParseArgs(argv, in); diags.Err() != nil {
					b.Fatal(diags.Err().Message)
				}
			}
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		for i := range table {
			Lookup(table[i].Long)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(table)), "ns/name")
}
