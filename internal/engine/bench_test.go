package engine_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// benchCases are the shapes that people paste most.
var benchCases = []struct{ name, command string }{
	{"get", "curl https://api.example.com/v1/items?page=2"},
	{"post", `curl -X POST 'https://api.example.com/v1/users' -H 'Content-Type: application/json' -H 'Authorization: Bearer abc.def' -d '{"name":"Ann","age":41,"tags":["a","b"]}'`},
	{"chrome", chromeCommand()},
	{"form", "curl -F 'avatar=@me.png' -F 'note=hello;type=text/markdown' -u ann:pw https://api.example.com/me"},
	{"pipe", `T=abc; echo '{"a":1}' | curl -sS -d @- -H "Authorization: Bearer $T" https://api.example.com/v1/items`},
	{"document", "curl https://api.example.com/v1/items -H 'Content-Type: application/json' --data-binary @- << EOF | jq .\n{\n  \"name\": \"$NAME\",\n  \"text\": \"one\\\\ntwo\"\n}\nEOF\n"},
	{"list", "curl -fsSL https://get.example.com/install.sh -o install.sh 2>&1 && sh install.sh --yes || exit 1"},
	{"cmd", "curl ^\"https://api.example.com/v1/users?a=1^&b=2^\" ^\n  -H ^\"content-type: application/json^\" ^\n  --data-raw ^\"{^\\^\"name^\\^\":^\\^\"Ann^\\^\"}^\""},
	{"powershell", "curl.exe 'https://api.example.com/v1/users' `\n  -H 'Content-Type: application/json' `\n  -d '{\\\"name\\\":\\\"Ann\\\"}'"},
	{"body64k", "curl https://api.example.com/ -H 'Content-Type: application/json' --data-raw '{\"rows\":[" + strings.Repeat(`{"id":1234567890,"name":"some name","ok":true},`, 1390) + "0]}'"},
}

// chromeCommand has the size and shape of what Chrome copies.
func chromeCommand() string {
	var b strings.Builder
	b.WriteString("curl 'https://www.example.com/api/v2/search?q=shoes&limit=50&sort=price' \\\n")
	for _, h := range []string{
		"accept: application/json, text/plain, */*", "accept-language: en-GB,en;q=0.9,de;q=0.8", "authorization: Bearer " + strings.Repeat("eyJhbGciOi", 12),
		"cache-control: no-cache", "content-type: application/json", "dnt: 1", "origin: https://www.example.com", "pragma: no-cache", "priority: u=1, i",
		"referer: https://www.example.com/shop/shoes?from=home", `sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24"`, "sec-ch-ua-mobile: ?0", `sec-ch-ua-platform: "Linux"`,
		"sec-fetch-dest: empty", "sec-fetch-mode: cors", "sec-fetch-site: same-origin", "user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
		"x-client-version: 2.71.0", "x-request-id: 7d2f3a52-1f4f-4a0e-9a55-7d1b8f6f2c11",
	} {
		b.WriteString("  -H '" + h + "' \\\n")
	}
	b.WriteString("  -b 'session=abcdef0123456789; theme=dark; consent=yes' \\\n")
	b.WriteString(`  --data-raw '{"filters":{"size":["42","43"],"colour":"black"},"page":1}'`)
	return b.String()
}

// commandsFile holds a JSON array of commands, for bench/peers.sh.
const commandsFile = "UNCOIL_COMMANDS"

// givenCommands returns the commands of that file that can be converted, or
// else those of benchCases.
func givenCommands(b *testing.B) (commands []string) {
	name := os.Getenv(commandsFile)
	if name == "" {
		for _, c := range benchCases {
			commands = append(commands, c.command)
		}
		return commands
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &commands)
	}
	if err != nil {
		b.Fatal(err)
	}
	return commands
}

func BenchmarkConvert(b *testing.B) {
	b.Run("case=commands", func(b *testing.B) {
		convertAll(b, givenCommands(b))
	})
	for _, c := range benchCases {
		b.Run("case="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.command)))
			b.ReportAllocs()
			dst := make([]byte, 0, 2*len(c.command))
			for b.Loop() {
				var err error
				if dst, err = appendConvert(dst[:0], c.command, engine.Input{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// convertAll converts commands over and over.
func convertAll(b *testing.B, commands []string) {
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		for _, c := range commands {
			dst, _ = appendConvert(dst[:0], c, engine.Input{}) // errors are answers too
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(commands)), "ns/command")
}

// BenchmarkCorpus converts every command of testdata/corpus, the rare ones
// among them.
func BenchmarkCorpus(b *testing.B) {
	var commands []string
	size := 0
	for _, c := range corpus.Read(b, corpus.Commands) {
		commands = append(commands, c.Command)
		size += len(c.Command)
	}
	b.SetBytes(int64(size))
	convertAll(b, commands)
}

func BenchmarkParse(b *testing.B) {
	for _, c := range benchCases {
		b.Run("case="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.command)))
			b.ReportAllocs()
			dst := make([]byte, 0, 4*len(c.command))
			for b.Loop() {
				var err error
				if dst, err = appendParse(dst[:0], c.command, engine.Input{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
