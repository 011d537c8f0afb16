package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"uncoil/internal/httpapi"
)

// serve runs the HTTP service until it is told to stop.
func (p *program) serve(args []string) error {
	c := httpapi.Defaults()
	fs := newFlags("serve")
	addr := fs.String("addr", "127.0.0.1:8080", "the `address` to listen on")
	fs.IntVar(&c.MaxBody, "max-body", c.MaxBody, "how many `bytes` a request, or a line of a batch, may have")
	fs.IntVar(&c.MaxRequests, "max-requests", c.MaxRequests, "how many requests may be under way at once")
	durations := []struct {
		value       *time.Duration
		name, usage string
	}{
		{&c.ReadHeaderTimeout, "read-header-timeout", "for the header of a request"},
		{&c.ReadTimeout, "read-timeout", "for a whole request"},
		{&c.WriteTimeout, "write-timeout", "for a whole response"},
		{&c.IdleTimeout, "idle-timeout", "between two requests of a connection"},
		{&c.BatchTimeout, "batch-timeout", "for a batch to make some progress"},
		{&c.DrainDelay, "drain", "how long to go on serving after /readyz has turned false"},
		{&c.Grace, "grace", "how long requests under way may take to end"},
	}
	for _, d := range durations {
		fs.DurationVar(d.value, d.name, *d.value, d.usage)
	}
	format := fs.String("log-format", "text", "how the log is written: `text or json`")
	level := slog.LevelInfo
	fs.TextVar(&level, "log-level", slog.LevelInfo, "the least `level` that is logged: debug, info, warn or error")
	if err := p.parseFlags(fs, args, serveHelp); err != nil {
		return err
	}
	if err := p.environmentFlags(fs); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &usageError{fmt.Sprintf("serve takes no argument such as %q", fs.Arg(0)), "uncoil serve -h"}
	}
	if c.MaxBody < 1 || c.MaxRequests < 1 {
		return &usageError{"-max-body and -max-requests must be at least 1", "uncoil serve -h"}
	}
	for _, d := range durations {
		if *d.value < 0 || *d.value == 0 && d.value != &c.DrainDelay {
			return &usageError{"-" + d.name + " must be more than 0", "uncoil serve -h"}
		}
	}
	log, err := newLog(p.stderr, *format, level)
	if err != nil {
		return err
	}
	c.Log = log

	// After the first signal a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	return httpapi.Serve(ctx, listener, c)
}

// environmentFlags sets the flags that the command line leaves out and the
// environment has: -max-body is UNCOIL_MAX_BODY there.
func (p *program) environmentFlags(fs *flag.FlagSet) error {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var wrong error
	fs.VisitAll(func(f *flag.Flag) {
		name := "UNCOIL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := p.env(name)
		if given[f.Name] || value == "" || wrong != nil {
			return
		}
		if err := fs.Set(f.Name, value); err != nil {
			wrong = &usageError{fmt.Sprintf("%s in the environment: invalid value %q: %v", name, value, err), "uncoil serve -h"}
		}
	})
	return wrong
}

func newLog(w io.Writer, format string, level slog.Level) (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: level}
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, &usageError{"-log-format must be text or json", "uncoil serve -h"}
}
