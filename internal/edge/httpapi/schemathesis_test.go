package httpapi

import (
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

var schemathesis = flag.Duration("schemathesis", 0, "how long Schemathesis asks a server; 0 skips the test")

// TestSchemathesis has Schemathesis make requests of openapi.yaml, right ones and wrong ones:
// each answer is below 500, and has a status, fields and content that the description allows.
func TestSchemathesis(t *testing.T) {
	program := filepath.Join(os.Getenv("UNCOIL_JUDGES"), "pypi", "schemathesis", "bin", "schemathesis")
	if *schemathesis == 0 {
		t.Skip("it takes minutes: -schemathesis 2m")
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("tools/judges/install.sh installs Schemathesis")
	}
	server := httptest.NewServer(New(Config{}))
	defer server.Close()
	cmd := exec.Command(program, "run", server.URL+"/openapi.json", "--url", server.URL, "--max-time", strconv.Itoa(int(*schemathesis/time.Second)), "--seed", "1",
		"--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance",
		"--continue-on-failure", "--suppress-health-check", "all", "--request-timeout", "20", "--warnings", "off")
	hooks, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=dumb", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+hooks, "SCHEMATHESIS_HOOKS=schemathesis_hooks")
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
