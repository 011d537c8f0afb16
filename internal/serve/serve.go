package serve

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"uncoil/internal/cli"
	"uncoil/internal/httpapi"
	"uncoil/internal/sandbox"
)

// Serve runs the subcommand serve: the HTTP service, until it is told to stop.
func Serve(p *cli.Program, args []string) error {
	o := newOptions()
	fs := cli.NewFlags("serve")
	o.register(fs)
	if err := p.ParseFlags(fs, args, serveHelp); err != nil {
		return err
	}
	if err := environmentFlags(fs, p.Env); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &cli.UsageError{Message: fmt.Sprintf("serve takes no argument such as %q", fs.Arg(0)), Help: "uncoil serve -h"}
	}
	if err := o.check(); err != nil {
		return err
	}
	log, flush := newLog(p.Stderr, o.logFormat, o.logLevel)
	defer flush()
	o.config.Log = log

	// After the first signal a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() {
		stop()
		flush()
	})
	listener, err := open(o, p.Env)
	if err != nil {
		return err
	}
	if p.Env("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(o.config.MemoryBound())
	}
	log.Info("memory", "bound", o.config.MemoryBound())
	if o.sandbox == "on" {
		o.config.Opened = func() { enterSandbox(log, o) }
	}
	if o.tokenFile != "" {
		reloadTokens(ctx, log, o)
	}
	return httpapi.Serve(ctx, listener, o.config)
}

// open opens the addresses and files that the service needs, while it may.
func open(o *options, env func(string) string) (net.Listener, error) {
	if o.tokenFile != "" {
		o.config.Tokens = new(httpapi.Tokens)
		if err := o.loadTokens(); err != nil {
			return nil, fmt.Errorf("-token-file: %w", err)
		}
	}
	listener, err := listen(o.addr, env)
	if err != nil {
		return nil, err
	}
	if o.debugAddr != "" {
		if o.config.Debug, err = net.Listen("tcp", o.debugAddr); err != nil {
			return nil, fmt.Errorf("-debug-addr: %w", err)
		}
		if !isLoopback(o.config.Debug.Addr()) {
			o.config.Log.Warn("profiles and metrics are open to other machines", "addr", o.config.Debug.Addr().String())
		}
	}
	if !isLoopback(listener.Addr()) {
		o.config.Log.Info("open to other machines", "addr", listener.Addr().String(),
			"tokens", o.config.Tokens != nil, "rate", o.config.Rate)
	}
	return listener, nil
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(addr net.Addr) bool {
	tcp, err := netip.ParseAddrPort(addr.String())
	return err != nil || tcp.Addr().Unmap().IsLoopback() // what is not TCP is a Unix socket
}

// enterSandbox gives up what the service does not need any more.
func enterSandbox(log *slog.Logger, o *options) {
	paths := metricFiles()
	if o.tokenFile != "" {
		paths = append(paths, tokenFolders(o.tokenFile)...)
	}
	_ = time.Now().String() // the time zone is in a file
	state, err := sandbox.Enter(paths...)
	tellSandbox(log, state, err)
}

// metricFiles returns what the metrics of the process are read from: what the
// kernel reports of the process itself, and when the machine was started.
func metricFiles() []string {
	var found []string
	for _, name := range []string{"/proc/self", "/proc/stat"} {
		if _, err := os.Stat(name); err == nil {
			found = append(found, name)
		}
	}
	return found
}

func tellSandbox(log *slog.Logger, state sandbox.State, err error) {
	switch {
	case err != nil:
		log.Warn("no sandbox: the process keeps the rights of its user", "reason", err.Error())
	case state.Missing != "":
		log.Warn("sandbox", "landlock", state.ABI, "missing", state.Missing)
	default:
		log.Info("sandbox", "landlock", state.ABI)
	}
}

// environmentFlags sets the flags that the command line leaves out and the
// environment has: -max-body is UNCOIL_MAX_BODY there.
func environmentFlags(fs *flag.FlagSet, env func(string) string) error {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var wrong error
	fs.VisitAll(func(f *flag.Flag) {
		name := "UNCOIL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := env(name)
		if given[f.Name] || value == "" || wrong != nil {
			return
		}
		if err := fs.Set(f.Name, value); err != nil {
			wrong = &cli.UsageError{Message: fmt.Sprintf("%s in the environment: invalid value %q: %v", name, value, err), Help: "uncoil serve -h"}
		}
	})
	return wrong
}
