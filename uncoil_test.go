package uncoil_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestFacade holds that the library has the engine's answers and errors.
func TestFacade(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors) {
		in := uncoil.Input{Shell: uncoil.Shell(c.Shell), Files: c.Files, Stdin: c.Stdin, Env: c.Env}
		result, err := uncoil.Parse(c.Command, in)
		want, wantErr := engine.Parse(c.Command, engine.Input{Shell: c.Shell, Files: c.Files, Stdin: c.Stdin, Env: c.Env})
		if wantErr != nil {
			checkError(t, c.Path, err, wantErr)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			continue
		}
		got, err := result.MarshalJSON()
		wanted, wantErr := want.MarshalJSON()
		if diff := cmp.Diff(string(wanted), string(got)); diff != "" || err != nil || wantErr != nil {
			t.Errorf("%s: %v, %v (-want +got):\n%s", c.Path, err, wantErr, diff)
		}
		_, err = result.Members()
		if _, wantErr = want.Members(); wantErr != nil {
			checkError(t, c.Path, err, wantErr)
		} else if err != nil {
			t.Errorf("%s: %v", c.Path, err)
		}
	}
}

func checkError(t *testing.T, name string, err, want error) {
	t.Helper()
	e, ok := errors.AsType[*uncoil.Error](err)
	if !ok || e.Error() != want.Error() || string(e.AppendReport(nil)) != string(want.(*engine.Error).AppendReport(nil)) {
		t.Errorf("%s: the error is %v, want %v", name, err, want)
	}
}

// TestWatch holds that a conversion can be seen and ended.
func TestWatch(t *testing.T) {
	const command = "curl http://h.test/[1-900]?a=b"
	seen := new(uncoil.Watch)
	if _, err := uncoil.Parse(command, uncoil.Input{Watch: seen}); err != nil {
		t.Fatal(err)
	}
	if steps, bytes := seen.Spent(); steps == 0 || bytes == 0 {
		t.Errorf("%d steps and %d bytes were seen", steps, bytes)
	}
	stopped := new(uncoil.Watch)
	stopped.Stop()
	_, err := uncoil.Parse(command, uncoil.Input{Watch: stopped})
	if e, ok := errors.AsType[*uncoil.Error](err); !ok || e.Code != diag.CodeTooMuchWork {
		t.Errorf("a stopped conversion gives %v", err)
	}
}

// TestChangedResult holds that a Result answers for the requests that it has now,
// and that one that no text was parsed for works.
func TestChangedResult(t *testing.T) {
	result, err := uncoil.Parse("curl http://h.test/[1-3]", uncoil.Input{})
	if err != nil {
		t.Fatal(err)
	}
	result.Requests = result.Requests[1:2]
	for _, r := range []*uncoil.Result{result, {Requests: result.Requests}} {
		m, err := r.Members()
		if err != nil || m.URL != "http://h.test/2" {
			t.Errorf("%+v, %v", m, err)
		}
		if text, err := r.MarshalJSON(); err != nil || len(text) < 50 {
			t.Errorf("%s, %v", text, err)
		}
	}
}
