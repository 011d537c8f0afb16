package fault_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/fault"
)

// TestRecover holds that a fault says where the panic was, and nothing of a
// value that may hold text of a command.
func TestRecover(t *testing.T) {
	const secret = "s3cr3t"
	for want, panics := range map[string]func(){
		"string":              func() { panic(secret) },
		"*errors.errorString": func() { panic(errors.New(secret)) },
		"index out of range":  func() { var s []int; s[len(secret)]++ },
	} {
		err := recovered(panics)
		f := fault.Of(err)
		if f == nil || !strings.Contains(f.What, want) || !strings.Contains(f.Stack, "fault_test.go") {
			t.Errorf("%s: %+v", want, f)
			continue
		}
		d := f.Diagnostic()
		if strings.Contains(f.What+f.Error()+d.Message+d.Hint, secret) || d.Code != diag.CodeInternal || d.Cause != err {
			t.Errorf("%s: %+v", want, d)
		}
	}
	if err := recovered(func() {}); err != nil || fault.Of(errors.New(secret)) != nil {
		t.Error("a fault without a panic")
	}
}

func recovered(panics func()) (err error) {
	defer fault.Recover(&err)
	panics()
	return nil
}
