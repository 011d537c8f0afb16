package beam

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"

	"uncoil/internal/edge/api"
)

// Bundles that fail and are repeated lose nothing and double nothing. Prism
// repeats none, so the test is the runner: it executes bundles with the executor
// of Beam's workers, drops what a bundle that failed has emitted, as runners do,
// and repeats it, with the same DoFn.
func TestBundleIsRepeated(t *testing.T) {
	const size, bundles = 50, 40
	dice := rand.New(rand.NewPCG(1, 2))
	convert := convertEdge(t)
	var lines, answers, failed []string
	repeated := 0
	for range bundles {
		bundle := make([]string, size)
		for i := range bundle {
			n := len(lines) + i
			switch n % 4 {
			case 0:
				bundle[i] = fmt.Sprintf("poison %d", n)
			case 1:
				bundle[i] = fmt.Sprintf(`{"id":%d,"as":"parse","curl":"curl https://example.com/%d"}`, n, n)
			default:
				bundle[i] = fmt.Sprintf(`{"id":%d,"curl":"curl -d %d https://example.com"}`, n, n)
			}
		}
		lines = append(lines, bundle...)
		for {
			good, bad, err := executeBundle(convert, bundle, dice.IntN(2*size))
			if err == nil {
				answers, failed = append(answers, good...), append(failed, bad...)
				break
			}
			repeated++
		}
	}
	if repeated < bundles/4 {
		t.Fatalf("only %d bundles failed", repeated)
	}
	good, bad := split(answersOf(t, api.AsConvert, lines...))
	if !slices.Equal(answers, good) || !slices.Equal(failed, bad) {
		t.Errorf("%d answers and %d failures, not the %d and %d of uncoil batch", len(answers), len(failed), len(good), len(bad))
	}
}

// convertEdge returns the step of a pipeline that Convert is.
func convertEdge(t *testing.T) *graph.MultiEdge {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	Convert(s, beam.Create(s, "x"))
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(edges, func(e *graph.MultiEdge) bool {
		return e.DoFn != nil && e.DoFn.Recv != nil && fmt.Sprintf("%T", e.DoFn.Recv) == "*beam.convertFn"
	})
	if i < 0 {
		t.Fatal("the pipeline has no convertFn")
	}
	return edges[i]
}

// executeBundle executes a step over lines, and fails after a number of outputs.
func executeBundle(edge *graph.MultiEdge, lines []string, after int) (answers, failed []string, err error) {
	left := after
	good, bad := &sink{id: 3, left: &left}, &sink{id: 4, left: &left}
	step := &exec.ParDo{UID: 2, PID: "convert", Fn: edge.DoFn, Inbound: edge.Input, Out: []exec.Node{good, bad}}
	source := &source{id: 1, lines: lines, out: step}
	plan, err := exec.NewPlan("plan", []exec.Unit{source, step, good, bad})
	if err != nil {
		return nil, nil, err
	}
	ctx := context.Background()
	err = plan.Execute(ctx, "bundle", exec.DataContext{})
	if down := plan.Down(ctx); err == nil {
		err = down
	}
	return good.lines, bad.lines, err
}

// A source emits lines.
type source struct {
	unit
	id    exec.UnitID
	lines []string
	out   exec.Node
}

func (s *source) ID() exec.UnitID { return s.id }

func (s *source) StartBundle(ctx context.Context, id string, data exec.DataContext) error {
	return s.out.StartBundle(ctx, id, data)
}

func (s *source) Process(ctx context.Context) ([]*exec.Checkpoint, error) {
	for _, line := range s.lines {
		value := &exec.FullValue{Elm: line, Timestamp: mtime.Now(), Windows: window.SingleGlobalWindow}
		if err := s.out.ProcessElement(ctx, value); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (s *source) FinishBundle(ctx context.Context) error { return s.out.FinishBundle(ctx) }

// A sink keeps lines, and fails when none is left.
type sink struct {
	unit
	id    exec.UnitID
	lines []string
	left  *int
}

func (s *sink) ID() exec.UnitID { return s.id }

func (s *sink) ProcessElement(_ context.Context, value *exec.FullValue, _ ...exec.ReStream) error {
	if *s.left--; *s.left < 0 {
		return errors.New("this bundle fails")
	}
	s.lines = append(s.lines, value.Elm.(string))
	return nil
}

// A unit has nothing to do before, between and after bundles.
type unit struct{}

func (unit) Up(context.Context) error                                    { return nil }
func (unit) StartBundle(context.Context, string, exec.DataContext) error { return nil }
func (unit) FinishBundle(context.Context) error                          { return nil }
func (unit) Down(context.Context) error                                  { return nil }
