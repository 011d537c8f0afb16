package serve

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"uncoil/internal/edge/cli"
	"uncoil/internal/edge/httpapi"
)

// options are what the flags of serve set.
type options struct {
	config    httpapi.Config
	addr      string
	debugAddr string
	sandbox   string
	tokenFile string
	tlsCert   string
	tlsKey    string
	// tokensWhole: the last tokens were read from a file that ended with a line break.
	tokensWhole bool
	logFormat   string
	logLevel    slog.Level

	numbers   []number
	durations []duration
}

// A number is a flag that is a limit, of at least 1.
type number struct {
	value       *int
	name, usage string
	most        int  // 0: any
	unset       bool // whether 0 is a value too
}

// A duration is a flag that is a time, of more than 0.
type duration struct {
	value       *time.Duration
	name, usage string
}

func newOptions() *options {
	o := &options{config: httpapi.Defaults()}
	c := &o.config
	c.MaxLine = c.MaxBody
	c.DrainDelay = time.Second
	c.Version = cli.Version()
	o.numbers = []number{
		{&c.MaxBody, "max-body", "how many bytes the content of a request may have", 1 << 30, false},
		{&c.MaxLine, "max-line", "how many bytes a line of a batch may have", 1 << 30, false},
		{&c.MaxHeader, "max-header", "how many bytes the header of a request may have", 1 << 20, false},
		{&c.MaxURL, "max-url", "how many bytes the path and query of a request may have", 1 << 20, false},
		{&c.MaxDepth, "max-depth", "how many levels deep JSON may nest", 10_000, false},
		{&c.Command.Requests, "max-command-requests", "how many requests a command may make", 1000, false},
		{&c.Command.Bytes, "max-command-bytes", "how many bytes a conversion may hold; 0: 16 for each byte of its content, and 16 MiB", 1 << 30, true},
		{&c.MaxAnswer, "max-answer", "how many bytes an answer may have", 1 << 30, false},
		{&c.Command.PartDepth, "max-part-depth", "how many levels deep form parts may nest", 1000, false},
		{&c.MaxConnections, "max-connections", "how many connections may be open at once; a sixteenth is for probes and for those without a request yet", 0, false},
		{&c.MaxRequests, "max-requests", "how many API requests may wait for their conversion; the client with the most gives way", 0, false},
		{&c.MaxConversions, "max-conversions", "how many commands may be converted at once; the others wait", 0, false},
		{&c.MaxBatches, "max-batches", "how many batches may be under way at once", 0, false},
		{&c.BatchLines, "batch-lines", "how many lines of a batch may be answered before their answers are sent", 0, false},
		{&c.MaxClientConnections, "max-client-connections", "how many connections one client may have open, unless it comes by a trusted proxy: another closes the one that was idle for longest; 0: a quarter of -max-connections", 0, true},
		{&c.MaxClientBatches, "max-client-batches", "how many batches of one client may be under way at once; 0: an eighth of -max-batches", 0, true},
		{&c.MaxClientHeld, "max-client-held", "how many bytes of contents and answers of one client may be held at once; less while others hold some; 0: half of -max-held", 0, true},
		{&c.MaxHeld, "max-held", "how many bytes of contents and answers may be held at once, over all requests", 0, false},
		{&c.Burst, "burst", "requests at once before -rate counts", 0, false},
	}
	o.durations = []duration{
		{&c.ReadHeaderTimeout, "read-header-timeout", "for the header of a request"},
		{&c.ReadTimeout, "read-timeout", "for a whole request; the first third for any, the rest for contents of 4 KiB a second"},
		{&c.WriteTimeout, "write-timeout", "for a whole response"},
		{&c.IdleTimeout, "idle-timeout", "between two requests of a connection"},
		{&c.BatchTimeout, "batch-timeout", "for a batch to make some progress"},
		{&c.MaxBatchTime, "max-batch-time", "for a whole batch"},
		{&c.QueueTimeout, "queue-timeout", "for a command to wait for others to be converted"},
		{&c.DrainDelay, "drain", "how long to go on serving after /readyz has turned false"},
		{&c.Grace, "grace", "how long requests under way may take to end"},
	}
	return o
}

// register adds the flags to a set.
func (o *options) register(fs *flag.FlagSet) {
	c := &o.config
	fs.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`ADDRESS`: where to listen; systemd: the socket that systemd passes")
	fs.StringVar(&o.debugAddr, "debug-addr", "", "`ADDRESS`: profiles, metrics and probes, for you alone")
	fs.StringVar(&o.sandbox, "sandbox", "on", "`on|off`: whether to give up the file system, new connections and new privileges once started, where the kernel can (Linux, Landlock)")
	fs.StringVar(&o.tokenFile, "token-file", "", "`FILE`: bearer tokens, one on each line, of which a request needs one; SIGHUP reads it again")
	fs.StringVar(&o.tlsCert, "tls-cert", "", "`FILE`: the certificate for TLS and its chain, in PEM; SIGHUP reads it again")
	fs.StringVar(&o.tlsKey, "tls-key", "", "`FILE`: the key of the certificate, in PEM")
	for _, n := range o.numbers {
		a := &amount{n.value, strings.Contains(n.usage, "bytes")}
		fs.Var(a, n.name, "`"+a.kind()+"`: "+n.usage)
	}
	for _, d := range o.durations {
		fs.Var((*span)(d.value), d.name, "`TIME`: "+d.usage)
	}
	fs.Var((*perSecond)(&c.Rate), "rate", "`N`: API requests and lines of batches that a client may send in a second (default any number)")
	fs.Func("trusted-proxies", "`NETS`: proxies whose X-Forwarded-For names the client, as 10.0.0.0/8,::1", o.setProxies)
	fs.Func("hosts", "`NAMES`: hosts to answer for, as uncoil.example.com, or *", func(list string) (err error) {
		c.Hosts, err = httpapi.ParseHosts(list)
		return err
	})
	fs.Func("cors-origins", "`ORIGINS`: web pages that may call the API, as https://app.example.com, or *", o.setOrigins)
	fs.BoolFunc("no-metrics", "leave /metrics off -addr; it stays on -debug-addr", func(s string) error {
		c.HideMetrics = s == "true" || s == "1"
		return nil
	})
	fs.StringVar(&c.LogRequests, "log-requests", httpapi.LogFailed, "`WHICH`: requests with a line in the log: failed (not answered), all or none")
	fs.BoolVar(&c.LogClients, "log-clients", false, "write the address of the client into the lines of requests")
	fs.StringVar(&o.logFormat, "log-format", "auto", "`FORM`: how the log is written: text, json, or auto: text on a terminal")
	fs.TextVar(&o.logLevel, "log-level", slog.LevelInfo, "`LEVEL`: the least level that is logged: debug, info, warn or error")
}

func (o *options) setProxies(list string) error {
	o.config.Proxies = nil
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
		}
		o.config.Proxies = append(o.config.Proxies, prefix.Masked())
	}
	return nil
}

func (o *options) setOrigins(list string) error {
	o.config.Origins = nil
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		u, err := url.Parse(text)
		if text != "*" && (err != nil || u.Host == "" || text != u.Scheme+"://"+strings.ToLower(u.Host)) {
			return fmt.Errorf("%q is not an origin: it needs a scheme and a host, and no path, as https://app.example.com", text)
		}
		o.config.Origins = append(o.config.Origins, text)
	}
	return nil
}

// check refuses values that make no sense.
func (o *options) check() error {
	wrong := func(err error) error { return &cli.UsageError{Message: err.Error(), Help: "uncoil serve -h"} }
	for _, n := range o.numbers {
		if *n.value < 1 && (*n.value != 0 || !n.unset) || n.most > 0 && *n.value > n.most {
			if n.most == 0 {
				return wrong(fmt.Errorf("-%s must be at least 1", n.name))
			}
			return wrong(fmt.Errorf("-%s must be from 1 to %d", n.name, n.most))
		}
	}
	for _, d := range o.durations {
		if *d.value < 0 || *d.value == 0 && d.value != &o.config.DrainDelay {
			return wrong(errors.New("-" + d.name + " must be more than 0"))
		}
	}
	switch {
	case (o.tlsCert == "") != (o.tlsKey == ""):
		return wrong(errors.New("-tls-cert and -tls-key belong together"))
	case o.config.Rate < 0:
		return wrong(errors.New("-rate must be 0 or more"))
	case o.sandbox != "on" && o.sandbox != "off":
		return wrong(errors.New("-sandbox must be on or off"))
	case o.config.LogRequests != httpapi.LogFailed && o.config.LogRequests != httpapi.LogAll && o.config.LogRequests != httpapi.LogNone:
		return wrong(errors.New("-log-requests must be failed, all or none"))
	case o.logFormat != "auto" && o.logFormat != "text" && o.logFormat != "json":
		return wrong(errors.New("-log-format must be text, json or auto"))
	}
	return nil
}
