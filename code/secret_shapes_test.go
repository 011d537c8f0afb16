package code_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/redact"
)

// The characters of tokens.
const (
	digits     = "0123456789"
	hexDigits  = digits + "abcdef"
	capitals   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters    = capitals + "abcdefghijklmnopqrstuvwxyz"
	alnum      = letters + digits
	base64URL  = alnum + "-_"
	bech32Code = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
)

// published are the formats of tokens as their issuers, or the public descriptions of
// scanners for secrets, give them: prefixes, and alphabets with lengths.
var published = map[string][]any{
	"age": {"AGE-SECRET-KEY-1", bech32Code, 58}, "Anthropic": {"sk-ant-api03-", base64URL, 93, "", alnum, 2}, "AWS": {"AKIA", capitals + "234567", 16},
	"Cloudflare": {"v1.0-", hexDigits, 24, "-", hexDigits, 146}, "Databricks": {"dapi", hexDigits, 32}, "Databricks 2": {"dapi", hexDigits, 32, "-", digits, 1},
	"DigitalOcean": {"dop_v1_", hexDigits, 64}, "Docker": {"dckr_pat_", base64URL, 27}, "Docker organization": {"dckr_oat_", base64URL, 32}, "Figma": {"figd_", base64URL, 40},
	"GitHub": {"ghp_", alnum, 36}, "GitHub 2": {"github_pat_", alnum, 22, "_", alnum, 59}, "GitLab": {"glpat-", base64URL, 20}, "Google": {"AIza", base64URL, 35},
	"Groq": {"gsk_", alnum, 52}, "Hugging Face": {"hf_", letters, 34}, "Linear": {"lin_api_", alnum, 40}, "Mailgun": {"key-", hexDigits, 32},
	"Notion": {"ntn_", digits, 11, "", alnum, 35}, "npm": {"npm_", alnum, 36}, "OpenAI": {"sk-", alnum, 48}, "PyPI": {"pypi-AgEIcHlwaS5vcmc", base64URL, 80},
	"SendGrid": {"SG.", base64URL, 22, ".", base64URL, 43}, "Shopify": {"shpat_", hexDigits, 32}, "Slack": {"xoxb-", digits, 11, "-", digits, 12, "-", alnum, 24},
	"Stripe": {"sk_live_", alnum, 24}, "Supabase": {"sbp_", hexDigits, 40}, "Telegram": {"", digits, 10, ":AA", base64URL, 33}, "Twilio": {"SK", hexDigits, 32},
	"Atlassian": {"ATATT3", base64URL, 180}, "Buildkite": {"bkua_", hexDigits, 40}, "Contentful": {"CFPAT-", base64URL, 43}, "Doppler": {"dp.pt.", alnum, 43},
	"Dynatrace": {"dt0c01.", capitals, 24, ".", capitals, 64}, "ElevenLabs": {"sk_", hexDigits, 48}, "Fly.io": {"fm2_", alnum, 100}, "Grafana": {"glsa_", alnum, 32, "_", hexDigits, 8},
	"Heroku": {"HRKU-", base64URL, 60}, "JFrog": {"AKCp8", alnum, 68}, "LangSmith": {"lsv2_pt_", hexDigits, 32, "_", hexDigits, 10}, "New Relic": {"NRAK-", capitals, 27},
	"NVIDIA": {"nvapi-", base64URL, 64}, "Perplexity": {"pplx-", alnum, 48}, "Pinecone": {"pcsk_", alnum, 5, "_", alnum, 63}, "PlanetScale": {"pscale_tkn_", base64URL, 43},
	"Postman": {"PMAK-", hexDigits, 24, "-", hexDigits, 34}, "Pulumi": {"pul-", hexDigits, 40}, "Replicate": {"r8_", alnum, 37}, "RubyGems": {"rubygems_", hexDigits, 48},
	"Sentry": {"sntrys_", base64URL, 100}, "Tailscale": {"tskey-", "api", 4, "-", alnum, 12, "-", alnum, 32},
	"Vault": {"hvs.", alnum, 24}, "xAI": {"xai-", alnum, 80},
	"Airtable": {"pat", alnum, 14, ".", hexDigits, 64}, "Terraform": {"", alnum, 14, ".atlasv1.", base64URL[:62], 67}, "Facebook": {"EAA", alnum, 150},
	"Square": {"EAAA", base64URL, 60}, "Discord": {"M", alnum, 25, ".", base64URL, 6, ".", base64URL, 38},
}

// sample returns a token of a format.
func sample(random *rand.Rand, format []any) string {
	var b strings.Builder
	for i := 0; i+2 < len(format); i += 3 {
		b.WriteString(format[i].(string))
		for range format[i+2].(int) {
			from := format[i+1].(string)
			b.WriteByte(from[random.IntN(len(from))])
		}
	}
	// A sign at the end may be taken for one of the text around it.
	return b.String()[:b.Len()-1] + "7"
}

// secretPlaces are commands with a secret in each place of a request, none of which has
// a name that makes it one.
var secretPlaces = []string{
	`curl 'https://h.test/p?q=SECRET&b=1'`, `curl https://h.test/a/SECRET/b`, `curl https://h.test/ -H 'X-A: SECRET'`, `curl https://h.test/ -b 'a=SECRET'`,
	`curl https://h.test/ --json '{"a":["SECRET"]}'`, `curl https://h.test/ -d 'a=SECRET&b=1'`, `curl https://h.test/ -H 'Content-Type: text/plain' -d 'a SECRET b'`,
	`curl https://h.test/ -F 'a=SECRET'`, `curl https://h.test/ -F 'a={"b":"SECRET"};type=application/json'`, `curl https://h.test/ -F 'a=b;headers="X-A: SECRET"'`,
	`curl https://h.test/ -u 'SECRET:'`, `curl https://h.test/ -A 'a/SECRET'`, `curl https://h.test/ -e 'https://r.test/SECRET'`, `curl https://h.test/ -F 'a=@f;filename=SECRET'`,
	`curl https://h.test/ -d '{"a":"x","b":{"c":"see SECRET."}}'`, `curl https://h.test/ -d '<a><b>SECRET</b></a>' -H 'Content-Type: application/xml'`,
}

// TestSecretShapes holds that tokens of published formats are moved and hidden wherever
// they stand.
func TestSecretShapes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for issuer, format := range published {
		for range 5 {
			secret := sample(random, format)
			for _, place := range secretPlaces {
				place := place
				if strings.Contains(place, "-u 'SECRET:'") && strings.Contains(secret, ":") {
					continue // curl reads a user name up to the colon
				}
				leaks(t, issuer, strings.ReplaceAll(place, "SECRET", secret), secret)
			}
		}
	}
}

// TestSecretNames holds the same for what a name makes a secret.
func TestSecretNames(t *testing.T) {
	const secret = "zq8V2pLm"
	for _, command := range []string{
		`curl https://h.test/ -H 'Authentication: SECRET'`, `curl https://h.test/ -H 'Authentication: Bearer SECRET'`, `curl https://h.test/ -F 'a=b;headers="X-Api-Key: SECRET"'`,
		`curl https://h.test/ -F 'a=b;headers="Authorization: Bearer SECRET"'`, `curl https://h.test/ -H 'Content-Type: text/xml' -d '<u><password>SECRET</password></u>'`,
		`curl https://h.test/ -d '<wsse:Password Type="a#PasswordText">SECRET</wsse:Password>'`, `curl https://h.test/ --json '{"x":"<apiKey>SECRET</apiKey>"}'`,
		`curl https://h.test/ -H 'Content-Type: text/xml' -d '<password><![CDATA[SECRET]]></password>'`, `curl https://h.test/ --form-string 'a=<password>SECRET</password>'`,
		`curl 'https://contoso.webhook.office.com/webhookb2/SECRET@0a1b/IncomingWebhook/SECRET/9c8d' -d a`, `curl 'https://outlook.office.com/webhook/SECRET@0a1b/IncomingWebhook/SECRET' -d a`,
	} {
		leaks(t, "name", strings.ReplaceAll(command, "SECRET", secret), secret)
	}
}

// leaks reports an answer that still shows the secret of a command: a rewritten command,
// a program, messages, the model after hiding, the text after hiding.
func leaks(t *testing.T, what, command, secret string) {
	t.Helper()
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	for _, name := range []string{"curl", "python-requests", "go"} {
		target, _ := code.Lookup(name)
		program, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, MoveSecrets: true})
		if shown := string(program) + messages(diags); strings.Contains(shown, secret) {
			t.Errorf("%s: %s for %s shows the secret:\n%s", what, command, name, shown)
		}
	}
	var text strings.Builder
	end := 0
	for _, s := range redact.Source(command) {
		text.WriteString(command[end:s.Start])
		end = s.End
	}
	text.WriteString(command[end:])
	if strings.Contains(text.String(), secret) && !strings.Contains(command, "-u '"+secret) {
		t.Errorf("%s: the text of the command shows the secret: %s", what, text.String())
	}
	redact.Requests(r.Requests)
	if shown := fmt.Sprint(string(r.AppendJSON(nil))); strings.Contains(shown, secret) {
		t.Errorf("%s: %s, hidden, shows the secret: %s", what, command, shown)
	}
}

// messages returns all that diagnostics say.
func messages(list diag.List) string {
	var b strings.Builder
	for _, d := range list {
		b.WriteString(d.Message + "\n" + d.Hint + "\n" + d.Option + "\n" + strings.Join(d.Files, "\n"))
	}
	return b.String()
}

// TestPlantedSecretsAreGone holds that a token which the warning says was moved is nowhere in the
// answer: in each place of a request, of each issuer, in the programs of all targets; one program
// in five, and with -prove each.
func TestPlantedSecretsAreGone(t *testing.T) {
	parallel(t)
	every := 5
	switch {
	case *prove:
		every = 1
	case testing.Short():
		every = 23
	}
	random := rand.New(rand.NewPCG(5, 6))
	programs, moved, shown, i := 0, 0, 0, 0
	for issuer, format := range published {
		secret := sample(random, format)
		for _, place := range secretPlaces {
			if strings.Contains(place, "-u 'SECRET:'") && strings.Contains(secret, ":") {
				continue
			}
			command := strings.ReplaceAll(place, "SECRET", secret)
			r, err := engine.Parse(command, engine.Input{})
			if err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			for _, target := range code.Targets() {
				for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
					if i++; i%every != 0 {
						continue
					}
					program, diags := target.Compose(nil, r.Requests, code.Options{Style: style, MoveSecrets: true})
					programs++
					said := messages(diags)
					if strings.Contains(said, "also stands") {
						continue
					}
					moved++
					if text := string(program) + said; strings.Contains(text, secret) {
						if shown++; shown <= 20 {
							t.Errorf("%s, %s, %s:\n%s", issuer, target.Name, command, text)
						}
					}
				}
			}
		}
	}
	if moved < programs*9/10 {
		t.Errorf("of %d programs %d say that the secret was moved everywhere", programs, moved)
	}
	t.Logf("%d programs, %d of them without a word that the secret also stands elsewhere, %d show it", programs, moved, shown)
}

// TestMovedIsGone holds that a secret that was moved is gone from programs of all targets, or
// that the warning names where it still stands.
func TestMovedIsGone(t *testing.T) {
	const token, password = "ghp_Zq7Xw9Lk2Vb4Nm6Tp8Rs1Yd3Zq7Xw9Lk2Vb4", "hunter2Zq7Xw9Lk"
	for _, command := range []string{
		"curl https://h.test/ -d 'foo=" + token + "'", "curl https://h.test/ -d 'a=1&foo=" + token + "'", "curl 'https://h.test/?q=x" + "&foo=" + token + "'",
		"curl https://h.test/ --data-urlencode 'foo=" + token + "'", `curl -u "a:${P:-` + password + `}" https://h.test/`,
		`curl -H "X: ${P:-` + token + `}" https://h.test/`, `curl -d "password=${P:-` + password + `}" https://h.test/`,
		"curl -H 'X-Api-Key: " + password + "' https://h.test/" + password, "curl https://h.test/ -d 'foo=" + token + "' --next https://h.test/b",
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range code.Targets() {
			for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
				program, diags := target.Compose(nil, r.Requests, code.Options{Style: style, MoveSecrets: true})
				told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "also stands") })
				if text := string(program); !told && (strings.Contains(text, token) || strings.Contains(text, password)) {
					t.Errorf("%s, %s:\n%s", target.Name, command, text)
				}
			}
		}
	}
}
