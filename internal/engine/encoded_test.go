package engine

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"os/exec"
	"strings"
	"testing"

	"uncoil/internal/engine/reqtext"
	"uncoil/internal/proof/need"
	"uncoil/request"
)

// encodedEnv is the environment of the scripts that encode and hash.
var encodedEnv = map[string]string{"A": "a é", "B": `x"y'z\n%s`, "K": "k3y"}

// TestFromEncoded checks what a value is computed of that base64, openssl or sha256sum
// print: bash runs the script, and the value that is computed of that must be the one of
// bash.
func TestFromEncoded(t *testing.T) {
	for _, name := range []string{"bash", "openssl", "base64", "awk", "xxd"} {
		need.Program(t, name)
	}
	for _, script := range []string{
		`V=$(echo -n "$A:$B" | base64)`,
		`V=$(printf '%s:%s' "$A" "$B" | base64 -w0)`,
		`V=$(printf '%s\n' "$A" "x" "$B" | base64 -w 0)`,
		`V=$(printf '100%% %s' "$A" | openssl base64)`,
		`V=$(printf "$A" | base64)`, // a format
		`V=$(echo "$A$A$A$A$A$A$A$A$A$A$A$A$A$A$A$A$A$A$A$A" | openssl base64 -A)`,
		`V=$(base64 -w0 <<<"$A")`,
		"V=$(openssl enc -base64 -A <<EOF\n$A\n$B\nEOF\n)",
		`V=$(printf %s "$A" | sha256sum | cut -d' ' -f1)`,
		`V=$(printf %s "$A" | sha256sum - | cut -d ' ' -f 1)`,
		`V=$(printf %s "$A" | sha1sum | awk '{print $1}')`,
		`V=$(printf %s "$A" | md5sum | cut -c1-32)`,
		`V=$(printf %s "$A" | md5sum | cut -c 1-32)`,
		`V=$(printf %s "$A" | sha512sum | sed 's/ .*//')`,
		`V=$(printf %s "$A" | sha384sum | head -c 96)`,
		`V=$(printf %s "$A" | shasum -a 256 | cut -f1 -d' ')`,
		`V=$(printf %s "$A" | shasum | awk '{ print $1 }')`,
		`V=$(printf abc | sha224sum | awk '{print $1}')`,
		`V=$(printf %s "$A" | openssl dgst -sha256 | awk '{print $2}')`,
		`V=$(printf %s "$A" | openssl dgst -sha256 -r | cut -d' ' -f1)`,
		`V=$(printf %s "$A" | openssl sha256 -hex | sed 's/^.* //')`,
		`V=$(printf %s "$A" | openssl md5 | sed -e 's/.*= *//' | tr -d '\n')`,
		`V=$(printf %s "$A" | openssl dgst -sha256 -binary | base64)`,
		`V=$(printf %s "$A" | openssl dgst -sha512 -binary | base64 -w0)`,
		`V=$(printf %s "$A" | openssl dgst -sha512 -binary | base64 | tr -d '\n')`,
		`V=$(printf %s "$A" | openssl dgst -binary -sha384 | openssl base64)`,
		`V=$(printf %s "$A" | openssl dgst -sha1 -binary | xxd -p)`,
		`V=$(printf %s "$A" | openssl dgst -sha256 -binary | xxd -p -c 256)`,
		`V=$(printf %s "$A" | openssl dgst -sha256 -binary | xxd -p | tr -d '\n')`,
		`V=$(echo -n "$A" | openssl dgst -sha256 -hmac "$K" | awk '{print $NF}')`,
		`V=$(echo -n "$A" | openssl dgst -sha256 -hmac "$K" -hex | awk -F'= ' '{print $2}')`,
		`V=$(echo -n "$A" | openssl dgst -hmac "x$K=" -sha512 -hex | cut -d' ' -f2)`,
		`V=$(echo -n "$A" | openssl sha1 -hmac key -binary | base64)`,
		`V=$(echo -n abc | openssl dgst -sha256 -hmac "$K" -binary | openssl enc -base64)`,
		`K2="it's $K"; V=$(echo "$A" | openssl dgst -md5 -hmac "$K2" -r | awk '{print $1}')`,
		`H=$(echo -n "$A" | md5sum | cut -d' ' -f1); V=$(echo -n "$H:$H" | openssl dgst -sha256 -hmac "$H" -binary | base64)`,
		`H=$(echo -n "$A:$B" | base64 -w0); V=$(echo -n "$H." | openssl dgst -sha256 -hmac "$K" | sed 's/.*= //')`,
		`V=$(echo -n "$A>>>???" | base64 -w0 | tr '+/' '-_' | tr -d '=')`,
		`V=$(echo -n "$A>>>???xx" | openssl base64 -A | tr -d '=' | tr '/+' '_-' | tr -d '\n')`,
		`V=$(echo -n "$A" | openssl dgst -sha256 -hmac "$K" -binary | base64 | tr -d '=\n' | tr -- '+/' '-_')`,
		`H=$(echo -n '{"alg":"HS256"}' | base64 | tr '+/' '-_' | tr -d '='); P=$(echo -n "{\"a\":\"$A\"}" | base64 -w0 | tr -d '=' | tr '/+' '_-'); V=$(echo -n "$H.$P" | openssl dgst -sha256 -hmac "$K" -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`,
		`V=$(echo -n "${A}x${NONE:-d e}" | sha256sum | cut -d' ' -f1)`,
	} {
		f, err := fromOf(script)
		e, ok := f.(*request.Encoded)
		if printsFormat := strings.Contains(script, `printf "$A"`); printsFormat || !ok || err != nil {
			if ok != !printsFormat {
				t.Errorf("%s: %+v, %v", script, f, err)
			}
			continue
		}
		bash := exec.Command("bash", "--noprofile", "--norc", "-c", script+"\nprintf %s \"$V\"")
		bash.Env = []string{"PATH=/usr/bin:/bin"}
		for name, value := range encodedEnv {
			bash.Env = append(bash.Env, name+"="+value)
		}
		want, err := bash.Output()
		if err != nil {
			t.Errorf("%s: bash: %v", script, err)
			continue
		}
		if got := computed(e); got != string(want) {
			t.Errorf("%s: %+v is %q, and bash has %q", script, e, got, want)
		}
	}
}

// computed returns the value of a text that is encoded.
func computed(e *request.Encoded) string {
	data := []byte(expanded(e.Text, e.Variables))
	make := map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New}[e.Hash]
	switch {
	case e.Key != "":
		h := hmac.New(make, []byte(expanded(e.Key, e.KeyVariables)))
		h.Write(data)
		data = h.Sum(nil)
	case e.Hash != "":
		h := make()
		h.Write(data)
		data = h.Sum(nil)
	}
	if e.URLSafe {
		return base64.RawURLEncoding.EncodeToString(data)
	}
	if e.Base64 {
		return base64.StdEncoding.EncodeToString(data)
	}
	return hex.EncodeToString(data)
}

func expanded(text string, variables []request.Variable) string {
	var b strings.Builder
	end := 0
	for i := range variables {
		v := &variables[i]
		b.WriteString(text[end:v.Start])
		end = v.End
		value, set := encodedEnv[v.Name]
		switch e, ok := v.From.(*request.Encoded); {
		case ok:
			value = computed(e)
		case !set:
			value = v.Default
		}
		b.WriteString(value)
	}
	return b.String() + text[end:]
}

// TestFromEncodedBounds checks that what a value is computed of stays small: each doubles
// what the one before it has.
func TestFromEncodedBounds(t *testing.T) {
	script := `H=$A`
	for i := range 40 {
		script += "\nH=$(printf %s \"$H$H\" | sha256sum | cut -d' ' -f1)"
		f, err := fromOf(script + "; V=$H")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		reqtext.EachVariable([]request.Variable{{From: f}}, func(*request.Variable) { n++ })
		if _, ok := f.(*request.Encoded); !ok && i < 4 || n > 64 {
			t.Errorf("after %d hashes: %T of %d variables", i+1, f, n)
		}
	}
}
