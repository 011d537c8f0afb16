package powershell

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"

	"github.com/google/go-cmp/cmp"
)

func TestInvoke(t *testing.T) {
	for _, c := range []shelltest.Case{
		{
			Name: "as browsers copy it",
			Src: "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n" +
				"$session.UserAgent = \"Mozilla/5.0 (X)\"\n" +
				"$session.Cookies.Add((New-Object System.Net.Cookie(\"a\", \"b`\"c\", \"/\", \"h.test\")))\n" +
				"$session.Cookies.Add((New-Object System.Net.Cookie(\"d\", \"\", \"/\", \"h.test\")))\n" +
				"Invoke-WebRequest -UseBasicParsing -Uri \"https://h.test/x?a=`$1\" `\n" +
				"-Method \"POST\" `\n-WebSession $session `\n" +
				"-Headers @{\n\"authority\"=\"h.test\"\n  \"method\"=\"POST\"\n  \"path\"=\"/x\"\n  \"scheme\"=\"https\"\n  \"accept\"=\"*/*\"\n  \"x-empty\"=\"\"\n} `\n" +
				"-ContentType \"application/json\" `\n" +
				"-Body ([System.Text.Encoding]::UTF8.GetBytes(\"{`\"k`\":`\"$([char]228)$([char]55357)$([char]56832)$([char]10)`\"}\"))",
			Args: []string{
				"curl", "--url", "https://h.test/x?a=$1", "--header", "accept: */*", "--header", "x-empty;",
				"--header", "Content-Type: application/json", "--user-agent", "Mozilla/5.0 (X)", "--cookie", `a=b"c; d=`,
				"--data-raw", "{\"k\":\"ä\U0001F600\n\"}", "--location",
			},
		},
		{
			Name: "as an API client writes it",
			Src: "$headers = New-Object \"System.Collections.Generic.Dictionary[[String],[String]]\"\n" +
				"$headers.Add(\"X-Key\", \"k\")\n$headers[\"X-B\"] = 'c'\n\n$body = @\"\n{`\"a`\": 1}\n\"@\n\n" +
				"$response = Invoke-RestMethod 'http://h.test/x' -Method 'PUT' -Headers $headers -Body $body\n$response | ConvertTo-Json",
			Want: [][]string{
				{"curl", "--url", "http://h.test/x", "--request", "PUT", "--header", "X-Key: k", "--header", "X-B: c", "--data-raw", `{"a": 1}`, "--header", "Content-Type:", "--location"},
				{"ConvertTo-Json"},
			},
		},
		{
			Name: "JSON of a table",
			Src: "$b = [ordered]@{ s = \"é\\$x`n\"; n = -1.50; z = '01'; q = 01; t = $true; u = $null; l = 1, 'a'; one = @('x'); none = @(); e = @{} }\n$b.more = @(1) + 2\n" +
				"irm h -Method Post -Body ($b | ConvertTo-Json -Compress)\nirm h -Method Post -Body (ConvertTo-Json @{ a = @{ b = @{ c = @{ d = 1 } } } })\n$c = @{ a = @{ b = @{ c = @(1,2) } } } |\n  ConvertTo-Json -Depth 1 -Compress\nirm h -Method Post -Body $c",
			Want: [][]string{
				{"curl", "--url", "h", "--data-raw", `{"s":"é\\$x\n","n":-1.50,"z":"01","q":"01","t":true,"u":null,"l":[1,"a"],"one":["x"],"none":[],"e":{},"more":[1,2]}`, "--location"},
				{"curl", "--url", "h", "--data-raw", "{\n  \"a\": {\n    \"b\": {\n      \"c\": \"System.Collections.Hashtable\"\n    }\n  }\n}", "--location"},
				{"curl", "--url", "h", "--data-raw", `{"a":{"b":"System.Collections.Hashtable"}}`, "--location"},
			},
		},
		{
			Name: "splatting",
			Src:  "$p = @{ Uri = 'http://h.test'; Method = 'Post'; Headers = @{ A = 'b' }; SkipCertificateCheck = $true; Body = @{ 'a b' = 'ä&'; c = 1 } }\nirm @p",
			Args: []string{"curl", "--url", "http://h.test", "--header", "A: b", "--data-raw", "a+b=%C3%A4%26&c=1", "--location", "--insecure"},
		},
		{
			Name: "short names, values after a colon, aliases",
			Src:  "curl -Uri:http://h.test -Meth head -UserA 'x' -Max:0 -Headers:@{a='b'} -TimeoutSec 5 -SkipCertificateCheck:$false -OutF f.txt -Proxy http://p:1",
			Args: []string{"curl", "--url", "http://h.test", "--head", "--header", "a: b", "--user-agent", "x", "--proxy", "http://p:1", "--max-time", "5", "--output", "f.txt"},
		},
		{
			Name: "a table as the query, files, forms",
			Src:  "(iwr http://h.test -Body @{a='b'}).Content; iwr h -Method Post -InFile 'a b.bin' -ContentType x/y; iwr h -Method Post -Form @{a='b'; f=Get-Item 'c d.png'}; iwr h -Method PATCH -Body (Get-Content f.json -Raw) -ContentType 'application/json'",
			Want: [][]string{
				{"curl", "--url", "http://h.test", "--get", "--data-raw", "a=b", "--location"},
				{"curl", "--url", "h", "--header", "Content-Type: x/y", "--data-binary", "@a b.bin", "--location"},
				{"curl", "--url", "h", "--form-string", "a=b", "--form", "f=@c d.png", "--location"},
				{"curl", "--url", "h", "--request", "PATCH", "--header", "Content-Type: application/json", "--data-binary", "@f.json", "--location"},
			},
		},
		{
			Name: "credentials",
			Src:  "$c = New-Object System.Management.Automation.PSCredential('u', (ConvertTo-SecureString 'p:w' -AsPlainText -Force))\niwr h -Credential $c -Authentication Basic\niwr h -Authentication Bearer -Token (ConvertTo-SecureString \"t\" -AsPlainText)",
			Want: [][]string{
				{"curl", "--url", "h", "--location", "--basic", "--user", "u:p:w"},
				{"curl", "--url", "h", "--location", "--oauth2-bearer", "t"},
			},
		},
		{
			Name: "objects made in other ways",
			Src: "$a = [PSCredential]::new('u', 'v')\niwr h -Credential $a\n$b = New-Object PSCredential -Arg @('w', 'x')\niwr h -Credential $b\n" +
				"$k = New-Object Net.Cookie -Property @{Value = '2'; Name = 'a'}\n$s = New-Object -Type X.WebRequestSession -Property @{UserAgent = 'me'}\n$s.Cookies.Add($k)\n" +
				"$s.Headers = @{A = 'b'}\niwr h -WebSession $s\niwr h -Method Put -Body (Get-Content -Encoding UTF8 -Raw -Path 'f')",
			Want: [][]string{
				{"curl", "--url", "h", "--location", "--user", "u:v"},
				{"curl", "--url", "h", "--location", "--user", "w:x"},
				{"curl", "--url", "h", "--header", "A: b", "--user-agent", "me", "--cookie", "a=2", "--location"},
				{"curl", "--url", "h", "--request", "PUT", "--data-binary", "@f", "--header", "Content-Type:", "--location"},
			},
		},
		{
			Name: "sums",
			Src:  "$a += 'x'\n$a += 'y' + 'z'\n$b = $a\n$b += '!'\n$t = @{a = 1}\n$t += @{b = 2}\n$u = $t\n$u.c = 3\niwr h -Method Post -Body $a -Headers $t\niwr h -Method Post -Body $b",
			Want: [][]string{
				{"curl", "--url", "h", "--header", "a: 1", "--header", "b: 2", "--header", "c: 3", "--data-raw", "xyz", "--location"},
				{"curl", "--url", "h", "--data-raw", "xyz!", "--location"},
			},
		},
		{
			Name: "curl itself",
			Src:  "curl -X POST h -d a; curl.exe -Method x",
			Want: [][]string{{"curl", "-X", "POST", "h", "-d", "a"}, {"curl.exe", "-Method", "x"}},
		},
		{
			Name: "a POST with nothing to send", Src: "iwr h -Method POST", Args: []string{"curl", "--url", "h", "--request", "POST", "--location"},
		},
		{
			Name: "the content type of the parameter wins", Src: "iwr h -Method POST -Body a -ContentType b/c -Headers @{'content-type'='d/e'}",
			Args: []string{"curl", "--url", "h", "--header", "Content-Type: b/c", "--data-raw", "a", "--location"},
		},
		{
			Name: "what is not known", Src: "iwr h -Headers $h -Nope -Certificate $c",
			Args: []string{"curl", "--url", "h", "--location"}, Codes: "unknown-option other-command variable-kept",
		},
		{
			Name: "a parameter without its value", Src: "iwr h -Method",
			Args: []string{"curl", "--url", "h", "--location"}, Codes: "missing-argument",
		},
	} {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, split) })
	}
}

func TestInvokeSpansAndHoles(t *testing.T) {
	src := `iwr "$base/x" -Headers @{ A = "Bearer $t" } -Body (@{ a = 1 } | Out-String -Z 1)`
	cmds, _ := split(src, nil)
	span := func(start, end int32) diag.Span { return diag.Span{Start: start, End: end} }
	body := "(@{ a = 1 } | Out-String -Z 1)"
	want := []word.Word{
		{Text: "curl", Span: span(0, 3)},
		{Text: "--url", Span: span(4, 13)},
		{Text: "$base/x", Span: span(4, 13), Holes: []word.Hole{{Start: 0, End: 5, Expr: "$base", Name: "base"}}},
		{Text: "--request", Span: span(0, 3)},
		{Text: "GET", Span: span(0, 3)},
		{Text: "--header", Span: span(26, 27)},
		{Text: "A: Bearer $t", Span: span(26, 41), Holes: []word.Hole{{Start: 10, End: 12, Expr: "$t", Name: "t"}}},
		{Text: "--data-raw", Span: span(44, 49)},
		{Text: body, Span: span(50, 80), Holes: []word.Hole{{Start: 0, End: int32(len(body)), Expr: body}}},
		{Text: "--header", Span: span(0, 3)},
		{Text: "Content-Type:", Span: span(0, 3)},
		{Text: "--location", Span: span(0, 3)},
	}
	if diff := cmp.Diff(want, cmds[0].Args); diff != "" {
		t.Error(diff)
	}
}
