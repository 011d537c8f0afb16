package beam

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/batch"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// answersOf returns what uncoil batch answers.
func answersOf(t *testing.T, as api.As, lines ...string) []string {
	t.Helper()
	var out strings.Builder
	err := batch.Answer(strings.NewReader(strings.Join(lines, "\n")), &out, batch.Limits, as, 1, func(api.Tally) {})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// split tells answers with an error from the others.
func split(answers []string) (good, bad []string) {
	for _, answer := range answers {
		if strings.Contains(answer, `,"error":{`) {
			bad = append(bad, answer)
		} else {
			good = append(good, answer)
		}
	}
	return good, bad
}

// A line with an error is a record among the failures, whatever it holds, and
// the other lines get their answers.
func TestConvert(t *testing.T) {
	lines := []string{
		`{"id":1,"curl":"curl -d a=b https://example.com"}`,
		`curl https://example.com/plain`,
		`{"id":2,"as":"convert","curl":"curl https://example.com"}`,
		`{"id":3,"as":"code","target":"go","curl":"curl https://example.com"}`,
		"", " \r",
		`{"id":4,"curl":"curl --nothing"}`,
		`poison`, "\xff\x00", `{"id":5,"curl":7}`, strings.Repeat("[", 100_000),
		`{"id":6,"shell":"cmd","curl":"curl ^https://example.com"}`,
	}
	good, bad := split(answersOf(t, api.AsParse, lines...))
	if len(good) != 5 || len(bad) != 5 {
		t.Fatalf("%d answers, %d failures", len(good), len(bad))
	}
	p, s, in := ptest.CreateList(lines)
	answers, failures := Convert(s, in, As("parse"))
	passert.EqualsList(s, answers, good)
	passert.EqualsList(s, failures, bad)
	result := ptest.RunAndValidate(t, p)

	want := map[string]int64{
		"lines": 10, "failures": 5, "failures/unknown-option": 1, "failures/bad-request": 4,
		"dialect/posix": 5, "dialect/cmd": 1,
	}
	got := counters(result)
	for name, n := range want {
		if got[name] != n {
			t.Errorf("the counter %s is %d, not %d", name, got[name], n)
		}
	}
}

func counters(result beam.PipelineResult) map[string]int64 {
	found := make(map[string]int64)
	for _, c := range result.Metrics().AllMetrics().Counters() {
		if c.Key.Namespace == "uncoil" {
			found[c.Key.Name] = c.Result()
		}
	}
	return found
}

func TestConvertPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown form is taken")
		}
	}()
	_, s, in := ptest.CreateList([]string{"x"})
	Convert(s, in, As("html"))
}

// The lines are those of uncoil extract, and Convert takes them.
func TestExtract(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	texts := beam.ParDo(s, pairFn, beam.CreateList(s, []string{
		"a.md|Call\n\n```sh\ncurl -d x \\\n  https://example.com\n```\n\nand `curl https://example.com/b`.\n",
		"b.sh|set -e\nid=$(curl -s https://example.com/c)\n",
		"c.bin|\x00curl https://example.com\n",
	}))
	lines := Extract(s, texts)
	passert.EqualsList(s, lines, []string{
		`{"id":{"file":"a.md","line":4,"column":1},"curl":"curl -d x \\\n  https://example.com"}`,
		`{"id":{"file":"a.md","line":8,"column":6},"curl":"curl https://example.com/b"}`,
		`{"id":{"file":"b.sh","line":2,"column":6},"curl":"curl -s https://example.com/c"}`,
	})
	answers, failures := Convert(s, lines)
	passert.Count(s, answers, "answers", 3)
	passert.Empty(s, failures)
	if got := counters(ptest.RunAndValidate(t, p)); got["texts"] != 3 || got["commands"] != 3 || got["unfinished"] != 0 {
		t.Errorf("the counters are %v", got)
	}
}

func pairFn(pair string) (string, string) {
	name, text, _ := strings.Cut(pair, "|")
	return name, text
}

func init() {
	register.Function1x2(pairFn)
	beam.RegisterDoFn(&failOnceFn{})
}

// failOnceFn passes lines on, and fails once, at one of them.
type failOnceFn struct{}

var (
	untilFailure atomic.Int64
	failures     atomic.Int64
)

func (*failOnceFn) ProcessElement(line string, emit func(string)) error {
	if untilFailure.Add(-1) == 0 {
		failures.Add(1)
		return errors.New("this bundle fails")
	}
	emit(line)
	return nil
}

// Prism repeats no bundle: one that fails ends the job. Nothing of such a job
// comes out, and a job that runs after it has each answer once.
func TestJobIsRepeated(t *testing.T) {
	lines := make([]string, 1000)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"id":%d,"curl":"curl https://example.com"}`, i)
	}
	out := filepath.Join(t.TempDir(), "out")
	run := func() error {
		p, s, in := ptest.CreateList(lines)
		answers, _ := Convert(s, in)
		textio.Write(s, out, beam.ParDo(s, &failOnceFn{}, answers))
		return ptest.Run(p)
	}
	untilFailure.Store(500)
	if err := run(); err == nil || failures.Load() != 1 {
		t.Fatalf("prism repeats bundles now: %v, after %d failures; let TestBundleIsRepeated use it", err, failures.Load())
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a job that failed wrote its output: %v", err)
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	want := answersOf(t, api.AsConvert, lines...)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d answers, not the %d of uncoil batch", len(got), len(want))
	}
}
