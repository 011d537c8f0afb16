// Mutants shows what no test sees: it changes one comparison, branch or bound at a time, runs
// the tests of the nearest packages, and prints the changes after which all pass.
//
//	go run -C tools ./mutants -seed 1 -n 60
//
// The changed file stands in an overlay (go help build), so that no file of the checkout
// changes. The same seed draws the same mutants of the same files. One that does not compile
// is drawn for nothing, and another takes its place.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// rooms are the folders that are mutated unless the flag names others.
const rooms = "internal/edge/openapi,internal/edge/contract,internal/edge/samples,internal/edge/snippets,internal/edge/lint,internal/edge/lsp," +
	"internal/edge/switches,internal/edge/api,internal/edge/cli,internal/edge/httpapi,extract,code/internal/plan,code/internal/emit"

// beside are the packages that test a room too, after its own tests.
var beside = map[string][]string{
	"code/internal/":         {"code"},
	"internal/edge/openapi":  {"internal/edge/contract", "internal/edge/samples"},
	"internal/edge/switches": {"internal/edge/cli", "internal/edge/mcp", "internal/edge/httpapi"},
	"internal/edge/lint":     {"internal/edge/cli"},
	"internal/edge/contract": {"internal/edge/cli"},
	"internal/edge/snippets": {"internal/edge/cli"},
	"internal/edge/samples":  {"internal/edge/cli"},
	"internal/edge/api":      {"internal/edge/httpapi"},
	"extract":                {"internal/edge/lint", "internal/edge/cli"},
}

// skipped are tests that take long, of all targets: others see the same rules.
var skipped = map[string]string{"code": "Proof|Hostile|Formatters|Compile|Budget|Literals|ParametersAreFree|NoOptionVanishesAnywhere"}

type session struct {
	root, scratch string
	limit         time.Duration
	sources       map[string][]byte // of the files, as they were drawn from
}

func main() {
	s := session{sources: map[string][]byte{}}
	seed := flag.Uint64("seed", 1, "draw other mutants")
	n := flag.Int("n", 60, "how many mutants to try")
	list := flag.String("rooms", rooms, "folders, separated by commas")
	flag.DurationVar(&s.limit, "timeout", 3*time.Minute, "how long the tests of one package may take; a mutant that takes longer is seen")
	flag.StringVar(&s.root, "root", "..", "the folder of the module")
	flag.Parse()
	if err := s.run(*seed, *n, strings.Split(*list, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func (s *session) run(seed uint64, n int, rooms []string) (err error) {
	if s.root, err = filepath.Abs(s.root); err != nil {
		return err
	}
	if s.scratch, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(s.scratch)
	all, err := s.find(rooms)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b mutant) int { return cmp.Compare(a.place(seed), b.place(seed)) })
	green := map[string]bool{} // packages that are known to pass
	tried, survive := 0, 0
	for i := range all {
		if tried == n {
			break
		}
		seen, err := s.try(&all[i], green)
		if errors.Is(err, errBuild) {
			continue
		} else if err != nil {
			return err
		}
		if tried++; !seen {
			survive++
			fmt.Println(&all[i])
		}
		fmt.Fprintf(os.Stderr, "%d/%d\r", tried, n)
	}
	fmt.Printf("seed %d: %d of %d survive\n", seed, survive, tried)
	return nil
}

// find returns the mutants of the rooms that there are, of the files for this machine.
func (s *session) find(rooms []string) (all []mutant, err error) {
	for _, room := range rooms {
		if _, err := os.Stat(filepath.Join(s.root, room)); err != nil {
			fmt.Fprintln(os.Stderr, "there is no", room)
			continue
		}
		list := exec.Command("go", "list", "-f", `{{join .GoFiles "\n"}}`, "./"+room)
		list.Dir = s.root
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list %s: %w", room, err)
		}
		for _, name := range strings.Fields(string(out)) {
			path := room + "/" + name
			source, err := os.ReadFile(filepath.Join(s.root, path))
			if err != nil {
				return nil, err
			}
			s.sources[path] = source
			found, err := mutantsOf(path, source)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

// errBuild is the error of a mutant that does not compile.
var errBuild = errors.New("it does not compile")

// try reports whether the tests see a mutant.
func (s *session) try(m *mutant, green map[string]bool) (seen bool, err error) {
	changed, overlay := filepath.Join(s.scratch, "mutant.go"), filepath.Join(s.scratch, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(s.root, m.file): changed}})
	if err != nil {
		return false, err
	}
	if err := errors.Join(os.WriteFile(changed, m.in(s.sources[m.file]), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return false, err
	}
	for _, p := range packagesOf(filepath.ToSlash(filepath.Dir(m.file))) {
		if !green[p] {
			if fails, out := s.test(p); fails {
				return false, fmt.Errorf("the tests of %s fail without a mutant:\n%s", p, out)
			}
			green[p] = true
		}
		fails, out := s.test(p, "-overlay", overlay)
		switch {
		case !fails:
		case bytes.Contains(out, []byte("[build failed]")):
			return false, errBuild
		default:
			return true, nil
		}
	}
	return false, nil
}

// packagesOf returns the packages whose tests are run for a room.
func packagesOf(room string) []string {
	all := []string{room}
	for prefix, others := range beside {
		if strings.HasPrefix(room+"/", strings.TrimSuffix(prefix, "/")+"/") {
			all = append(all, others...)
		}
	}
	return all
}

// test runs the short tests of a package.
func (s *session) test(room string, flags ...string) (fails bool, out []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), s.limit+time.Minute) // to compile
	defer cancel()
	args := append([]string{"test", "-short", "-failfast", "-vet=off", "-timeout", s.limit.String()}, flags...)
	if names := skipped[room]; names != "" {
		args = append(args, "-skip", names)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+room)...)
	cmd.Dir = s.root
	out, err := cmd.CombinedOutput()
	return err != nil, out
}
