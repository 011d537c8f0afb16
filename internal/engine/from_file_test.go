package engine

import (
	"os/exec"
	"strings"
	"testing"

	"uncoil/internal/proof/need"
	"uncoil/request"
)

// TestFromFile checks values that the text picks of a file that curl wrote before: bash runs the
// script, with a curl that writes a head for -D and content for -o.
func TestFromFile(t *testing.T) {
	for _, name := range []string{"bash", "grep", "awk", "cut", "tr", "cat", "mktemp"} {
		need.Program(t, name)
	}
	fake := `curl() {
  content='` + strings.ReplaceAll(login, "'", `'\''`) + `' file=
  while [ $# -gt 0 ]; do
    case $1 in
    -*D|--dump-header) printf '%s\r\n' '` + strings.Join(head, "' '") + `' > "$2"; shift ;;
    -*o|--output) file=$2; shift ;;
    -sI) content=$(printf '%s\r\n' '` + strings.Join(head, "' '") + `') ;;
    esac
    shift
  done
  if [ -n "$file" ]; then printf '%s\n' "$content" > "$file"; else printf '%s\n' "$content"; fi
}
`
	_, jq := exec.LookPath("jq")
	for _, script := range []string{
		`curl -s -D h.txt -o /dev/null http://h.test/; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2 | tr -d '\r')`,
		`curl -sSD h.txt http://h.test/ > /dev/null; V=$(awk '/^Mcp-Session-Id:/{print $2}' h.txt | tr -d '\r')`,
		`curl -s --dump-header h.txt -o b.json http://h.test/; V=$(cat h.txt | grep -i mcp-session-id | cut -d' ' -f2 | tr -d '\r')`,
		`F=$(mktemp); curl -s -D "$F" -o /dev/null http://h.test/; V=$(grep -i location: "$F" | sed 's/location: //i' | tr -d '\r'); rm "$F"`,
		`curl -sI http://h.test/ > h.txt; V=$(grep -i mcp-session-id < h.txt | cut -d' ' -f2 | tr -d '\r')`,
		`curl -s -D h.txt -o b.json http://h.test/; V=$(tr -d '\r' < h.txt | grep -i ^etag: | cut -d' ' -f2)`,
		`curl -s -o b.json http://h.test/; V=$(jq -r .access_token b.json)`,
		`curl -s http://h.test/ > b.json; V=$(cat b.json | grep -o '"access_token":"[^"]*' | cut -d'"' -f4)`,
		`curl -s -o b.json http://h.test/; curl -s -o b.json http://h.test/; V=$(grep -o '"access_token":"[^"]*' b.json | cut -d'"' -f4)`,
	} {
		if jq != nil && strings.Contains(script, "jq ") {
			continue // not here
		}
		f, err := fromOf(script)
		response, ok := f.(*request.Response)
		if last := strings.Count(script, "curl ") - 1; err != nil || !ok || response.Request != last {
			t.Errorf("%s: %+v, %v", script, f, err)
			continue
		}
		bash := exec.Command("bash", "--noprofile", "--norc", "-c", fake+script+"\nprintf %s \"$V\"")
		bash.Dir = t.TempDir()
		want, err := bash.Output()
		if err != nil {
			t.Errorf("%s: bash: %v", script, err)
			continue
		}
		got := ""
		if response.Header != "" {
			got = pickField(response)
		} else {
			got = pick(t, response)
		}
		if got == "" || got != strings.TrimSuffix(string(want), "\r") {
			t.Errorf("%s: %+v is %q, and bash has %q", script, response, got, want)
		}
	}
	for _, script := range []string{ // of these it is not certain
		`curl -s -D h.txt http://h.test/; echo > h.txt; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -s -D h.txt http://h.test/; mv other h.txt; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -s -D h.txt http://h.test/; sed -i s/a/b/ h.txt; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -s -D h.txt http://h.test/; V=$(grep -i x-subject-token other.txt | cut -d' ' -f2)`,
		`curl -s -D h.txt http://h.test/ || curl -s -D h.txt http://i.test/; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`if [ $A ]; then curl -s -D h.txt http://h.test/; fi; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -sL -D h.txt http://h.test/; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -s -o h.txt http://h.test/; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -s -HD h.txt http://h.test/; V=$(grep -i x-subject-token h.txt | cut -d' ' -f2)`,
		`curl -s -D h.txt http://h.test/; V=$(jq -r .token h.txt)`,
		`curl -s >> h.txt http://h.test/; V=$(jq -r .token h.txt)`,
		`curl -s -D $F http://h.test/; F=$(mktemp); V=$(grep -i x-subject-token $F | cut -d' ' -f2)`,
	} {
		f, err := fromOf(script)
		if _, ok := f.(*request.Response); ok || err != nil {
			t.Errorf("%s: %+v, %v", script, f, err)
		}
	}
}
