package serve

import (
	"strings"
	"testing"

	"uncoil/internal/edge/cli"
)

func TestEnvironment(t *testing.T) {
	for _, test := range []struct {
		environ []string
		want    string // in the error
	}{
		{[]string{"UNCOIL_RATE=5", "PATH=/bin", "UNCOILED=1"}, ""},
		{[]string{"UNCOIL_SERVICE_HOST=10.0.0.1", "UNCOIL_PORT_80_TCP=tcp://10.0.0.1:80", "UNCOIL_MAX_BODY="}, ""},
		{[]string{"UNCOIL_RATTE=5"}, "UNCOIL_RATTE in the environment sets no flag; did you mean UNCOIL_RATE?"},
		{[]string{"UNCOIL_MAX_CONECTIONS=5"}, "did you mean UNCOIL_MAX_CONNECTIONS?"},
		{[]string{"UNCOIL_rate=5"}, "did you mean UNCOIL_RATE?"},
		{[]string{"UNCOIL_RATE=fast"}, `UNCOIL_RATE in the environment: invalid value "fast"`},
	} {
		o := newOptions()
		fs := cli.NewFlags("serve")
		o.register(fs)
		err := environmentFlags(fs, test.environ)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: %v", test.environ, err)
		}
	}
}
