package envname_test

import (
	"testing"

	"uncoil/internal/engine/envname"
)

func TestOf(t *testing.T) {
	for called, want := range map[string]string{
		"clientSecret": "CLIENT_SECRET", "client-secret": "CLIENT_SECRET", "X-Api-Key": "X_API_KEY", "your id": "YOUR_ID",
		"_id_": "ID", "ID": "ID", "userID2Name": "USER_ID2_NAME", "2fa": "2FA", "ü": "", "": "", "a__b": "A_B",
	} {
		if got := envname.Of(called); got != want {
			t.Errorf("%q is %q, want %q", called, got, want)
		}
	}
}
