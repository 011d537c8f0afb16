package shell

import (
	"testing"

	"uncoil/diag"

	"github.com/google/go-cmp/cmp"
)

func TestInvoke(t *testing.T) {
	for _, c := range []splitCase{
		{
			name: "as browsers copy it",
			src: "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n" +
				"$session.UserAgent = \"Mozilla/5.0 (X)\"\n" +
				"$session.Cookies.Add((New-Object System.Net.Cookie(\"a\", \"b`\"c\", \"/\", \"h.test\")))\n" +
				"$session.Cookies.Add((New-Object System.Net.Cookie(\"d\", \"\", \"/\", \"h.test\")))\n" +
				"Invoke-WebRequest -UseBasicParsing -Uri \"https://h.test/x?a=`$1\" `\n" +
				"-Method \"POST\" `\n-WebSession $session `\n" +
				"-Headers @{\n\"authority\"=\"h.test\"\n  \"method\"=\"POST\"\n  \"path\"=\"/x\"\n  \"scheme\"=\"https\"\n  \"accept\"=\"*/*\"\n  \"x-empty\"=\"\"\n} `\n" +
				"-ContentType \"application/json\" `\n" +
				"-Body ([System.Text.Encoding]::UTF8.GetBytes(\"{`\"k`\":`\"$([char]228)$([char]55357)$([char]56832)$([char]10)`\"}\"))",
			args: []string{
				"curl", "--url", "https://h.test/x?a=$1", "--header", "accept: */*", "--header", "x-empty;",
				"--header", "Content-Type: application/json", "--user-agent", "Mozilla/5.0 (X)", "--cookie", `a=b"c; d=`,
				"--data-raw", "{\"k\":\"ä\U0001F600\n\"}", "--location",
			},
		},
		{
			name: "as an API client writes it",
			src: "$headers = New-Object \"System.Collections.Generic.Dictionary[[String],[String]]\"\n" +
				"$headers.Add(\"X-Key\", \"k\")\n$headers[\"X-B\"] = 'c'\n\n$body = @\"\n{`\"a`\": 1}\n\"@\n\n" +
				"$response = Invoke-RestMethod 'http://h.test/x' -Method 'PUT' -Headers $headers -Body $body\n$response | ConvertTo-Json",
			want: [][]string{
				{"curl", "--url", "http://h.test/x", "--request", "PUT", "--header", "X-Key: k", "--header", "X-B: c", "--data-raw", `{"a": 1}`, "--header", "Content-Type:", "--location"},
				{"ConvertTo-Json"},
			},
		},
		{
			name: "splatting",
			src:  "$p = @{ Uri = 'http://h.test'; Method = 'Post'; Headers = @{ A = 'b' }; SkipCertificateCheck = $true; Body = @{ 'a b' = 'ä&'; c = 1 } }\nirm @p",
			args: []string{"curl", "--url", "http://h.test", "--header", "A: b", "--data-raw", "a+b=%C3%A4%26&c=1", "--location", "--insecure"},
		},
		{
			name: "short names, values after a colon, aliases",
			src:  "curl -Uri:http://h.test -Meth head -UserA 'x' -Max:0 -Headers:@{a='b'} -TimeoutSec 5 -SkipCertificateCheck:$false -OutF f.txt -Proxy http://p:1",
			args: []string{"curl", "--url", "http://h.test", "--head", "--header", "a: b", "--user-agent", "x", "--proxy", "http://p:1", "--max-time", "5", "--output", "f.txt"},
		},
		{
			name: "a table as the query, files, forms",
			src:  "(iwr http://h.test -Body @{a='b'}).Content; iwr h -Method Post -InFile 'a b.bin' -ContentType x/y; iwr h -Method Post -Form @{a='b'; f=Get-Item 'c d.png'}; iwr h -Method PATCH -Body (Get-Content f.json -Raw) -ContentType 'application/json'",
			want: [][]string{
				{"curl", "--url", "http://h.test", "--get", "--data-raw", "a=b", "--location"},
				{"curl", "--url", "h", "--header", "Content-Type: x/y", "--data-binary", "@a b.bin", "--location"},
				{"curl", "--url", "h", "--form-string", "a=b", "--form", "f=@c d.png", "--location"},
				{"curl", "--url", "h", "--request", "PATCH", "--header", "Content-Type: application/json", "--data-binary", "@f.json", "--location"},
			},
		},
		{
			name: "credentials",
			src:  "$c = New-Object System.Management.Automation.PSCredential('u', (ConvertTo-SecureString 'p:w' -AsPlainText -Force))\niwr h -Credential $c -Authentication Basic\niwr h -Authentication Bearer -Token (ConvertTo-SecureString \"t\" -AsPlainText)",
			want: [][]string{
				{"curl", "--url", "h", "--location", "--basic", "--user", "u:p:w"},
				{"curl", "--url", "h", "--location", "--oauth2-bearer", "t"},
			},
		},
		{
			name: "curl itself",
			src:  "curl -X POST h -d a; curl.exe -Method x",
			want: [][]string{{"curl", "-X", "POST", "h", "-d", "a"}, {"curl.exe", "-Method", "x"}},
		},
		{
			name: "a POST with nothing to send", src: "iwr h -Method POST", args: []string{"curl", "--url", "h", "--request", "POST", "--location"},
		},
		{
			name: "the content type of the parameter wins", src: "iwr h -Method POST -Body a -ContentType b/c -Headers @{'content-type'='d/e'}",
			args: []string{"curl", "--url", "h", "--header", "Content-Type: b/c", "--data-raw", "a", "--location"},
		},
		{
			name: "what is not known", src: "iwr h -Headers $h -Nope -Certificate $c",
			args: []string{"curl", "--url", "h", "--location"}, codes: "unknown-option other-command variable-kept",
		},
		{
			name: "a parameter without its value", src: "iwr h -Method",
			args: []string{"curl", "--url", "h", "--location"}, codes: "missing-argument",
		},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, splitPowerShell) })
	}
}

func TestInvokeSpansAndHoles(t *testing.T) {
	src := `iwr "$base/x" -Headers @{ A = "Bearer $t" } -Body (@{ a = 1 } | ConvertTo-Json)`
	cmds, _ := splitPowerShell(src, nil)
	span := func(start, end int32) diag.Span { return diag.Span{Start: start, End: end} }
	body := "(@{ a = 1 } | ConvertTo-Json)"
	want := []Word{
		{Text: "curl", Span: span(0, 3)},
		{Text: "--url", Span: span(4, 13)},
		{Text: "$base/x", Span: span(4, 13), Holes: []Hole{{Start: 0, End: 5, Expr: "$base"}}},
		{Text: "--request", Span: span(0, 3)},
		{Text: "GET", Span: span(0, 3)},
		{Text: "--header", Span: span(26, 27)},
		{Text: "A: Bearer $t", Span: span(26, 41), Holes: []Hole{{Start: 10, End: 12, Expr: "$t"}}},
		{Text: "--data-raw", Span: span(44, 49)},
		{Text: body, Span: span(50, 79), Holes: []Hole{{Start: 0, End: int32(len(body)), Expr: body}}},
		{Text: "--header", Span: span(0, 3)},
		{Text: "Content-Type:", Span: span(0, 3)},
		{Text: "--location", Span: span(0, 3)},
	}
	if diff := cmp.Diff(want, cmds[0].Args); diff != "" {
		t.Error(diff)
	}
}
