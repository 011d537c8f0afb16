package oracle

import (
	"context"
	"slices"
	"testing"

	"uncoil/internal/engine/curl"
)

// TestIgnoredOptionsChangeNothing shows by the real curl that an option which
// the answer puts into "ignored" changes no byte of the request.
func TestIgnoredOptionsChangeNothing(t *testing.T) {
	Require(t)
	plain := []string{"-d", "a=1\r\nb", "http://h.test/x"}
	want := sentBy(t, plain)
	if len(want) != 1 {
		t.Fatalf("curl sent %d requests", len(want))
	}
	judged := 0
	for i, o := range curl.Options() {
		if o.Section != curl.Ignored || leftOut(i) {
			continue
		}
		args := []string{"--" + o.Long}
		if o.TakesArgument() {
			args = append(args, ignoredArgument(o.ID))
		}
		got := sentBy(t, append(args, plain...))
		if len(got) == 0 {
			continue // this curl does not have it, or does something else with it
		}
		judged++
		if len(got) != 1 || got[0].Head != want[0].Head || string(got[0].Body) != string(want[0].Body) {
			t.Errorf("--%s changes the request:\n%s%s\nnot\n%s%s", o.Long, got[0].Head, got[0].Body, want[0].Head, want[0].Body)
		}
	}
	t.Logf("judged %d options", judged)
	if judged < 40 && !testing.Short() {
		t.Errorf("curl judged only %d options", judged)
	}
}

func sentBy(t *testing.T, args []string) []Request {
	t.Helper()
	result, err := RunArgs(context.Background(), args, Setup{})
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return slices.DeleteFunc(result.Requests, func(r Request) bool { return r.IsTunnel() })
}

// ignoredArgument returns an argument that curl takes for an option.
func ignoredArgument(id curl.OptionID) string {
	switch id {
	case curl.OptHostpubmd5:
		return "00112233445566778899aabbccddeeff"
	case curl.OptTraceConfig:
		return "ids"
	case curl.OptUploadFlags:
		return "seen"
	case curl.OptTftpBlksize:
		return "512"
	case curl.OptKnownhosts:
		return "/dev/null"
	case curl.OptFtpMethod:
		return "nocwd"
	case curl.OptTelnetOption:
		return "TTYPE=vt100"
	}
	return "x"
}
