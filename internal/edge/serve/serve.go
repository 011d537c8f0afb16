package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"uncoil/internal/edge/cli"
	"uncoil/internal/edge/httpapi"
	"uncoil/internal/edge/sandbox"
)

// Serve runs the subcommand serve, the HTTP service, until a signal stops it.
func Serve(p *cli.Program, args []string) error {
	hangup := catchSignals()
	o := newOptions()
	fs := cli.NewFlags("serve")
	o.register(fs)
	if err := p.ParseFlags(fs, args, &servePage); err != nil {
		return err
	}
	if err := environmentFlags(fs, os.Environ()); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &cli.UsageError{Message: fmt.Sprintf("serve takes no argument such as %q", fs.Arg(0)), Help: "uncoil serve -h"}
	}
	if err := o.check(); err != nil {
		return err
	}
	log, lines := newLog(p.Stderr, o.logFormat, o.logLevel)
	defer lines.flush(logPatience)
	o.config.Log = log
	o.config.DroppedLines = lines.dropped.Load

	// After the first signal a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	listener, err := open(o, p.Env)
	if err != nil {
		return err
	}
	group := cgroupMemory(os.DirFS("/"))
	o.fitMemory(group, given(fs))
	limitMemory(log, o.config.MemoryBound(), group, p.Env("GOMEMLIMIT") == "")
	if p.Env("GOGC") == "" {
		// The memory of a conversion is small and short-lived, so a larger heap
		// saves most of the collector's work. The limit above still applies.
		debug.SetGCPercent(400)
	}
	if o.sandbox == "on" {
		o.config.Opened = func() { enterSandbox(log, o) }
	}
	if cli.IsTerminal(p.Stderr) && listener.Addr().Network() == "tcp" {
		scheme := "http"
		if o.config.TLS != nil {
			scheme = "https"
		}
		fmt.Fprintf(p.Stderr, "uncoil: open %s://%s/\n", scheme, pageAddress(listener.Addr()))
	}
	go reload(hangup, log, o)
	return httpapi.Serve(ctx, listener, o.config)
}

// pageAddress returns the host and the port under which a browser on this
// machine finds the page.
func pageAddress(addr net.Addr) string {
	tcp, err := netip.ParseAddrPort(addr.String())
	if err == nil && tcp.Addr().IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(int(tcp.Port())))
	}
	return addr.String()
}

// logPatience is the longest time to write the last lines of the log.
const logPatience = time.Second

// open opens the addresses and files of the service before the sandbox forbids it.
func open(o *options, env func(string) string) (net.Listener, error) {
	if o.tokenFile != "" {
		o.config.Tokens = new(httpapi.Tokens)
		if err := o.loadTokens(); err != nil {
			return nil, fmt.Errorf("-token-file: %w", err)
		}
	}
	if o.tlsCert != "" {
		o.config.TLS = new(httpapi.Certificate)
		if err := o.loadCertificate(); err != nil {
			return nil, fmt.Errorf("-tls-cert and -tls-key: %w", err)
		}
	}
	listener, err := listen(o.addr, env)
	if err != nil {
		return nil, err
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsLoopback() && o.config.Hosts == nil && o.config.Proxies == nil {
		// Nobody but programs of this machine connects, browsers among them. What
		// comes by a Unix socket is from a proxy.
		o.config.Hosts = httpapi.LoopbackHosts
		o.config.PageAsks = true
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
		level := slog.LevelInfo
		if o.config.Tokens == nil && o.config.Rate == 0 {
			level = slog.LevelWarn
		}
		o.config.Log.Log(context.Background(), level, "open to other machines", "addr", listener.Addr().String(),
			"tokens", o.config.Tokens != nil, "rate", o.config.Rate)
	}
	o.fitFiles(maxFiles())
	return listener, nil
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(addr net.Addr) bool {
	tcp, err := netip.ParseAddrPort(addr.String())
	return err != nil || tcp.Addr().Unmap().IsLoopback() // other than TCP, only Unix sockets
}

// enterSandbox gives up the rights that the service does not need any more.
func enterSandbox(log *slog.Logger, o *options) {
	paths := metricFiles()
	for _, file := range []string{o.tokenFile, o.tlsCert, o.tlsKey} {
		if file != "" {
			paths = append(paths, foldersOf(file)...)
		}
	}
	_ = time.Now().String() // reads the file of the time zone
	state, err := sandbox.Enter(paths...)
	tellSandbox(log, state, err)
}

// metricFiles returns the files that the metrics of the process are read from.
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
