package httpapi

import (
	"cmp"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"time"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine"
)

// A Config holds the limits of the service and the other choices of its
// operator. A zero number means the one of Defaults, unless its comment gives
// another meaning.
type Config struct {
	// Limits of one request.
	MaxBody   int           // bytes in the content of a request
	MaxLine   int           // bytes in a line of a batch; 0: as MaxBody
	MaxHeader int           // bytes in the header of a request
	MaxURL    int           // bytes in the path and query of a request
	MaxDepth  int           // nesting of JSON
	Command   engine.Limits // limits of one conversion
	MaxAnswer int           // bytes in an answer

	// Limits of what is in flight.
	MaxConnections       int // open connections
	MaxClientConnections int // of one client; 0: a quarter of MaxConnections
	MaxRequests          int // API requests that wait for a conversion
	MaxConversions       int // conversions in flight
	MaxBatches           int // batches in flight
	BatchLines           int // lines of a batch that are answered before their answers are sent
	MaxClientBatches     int // of one client; 0: an eighth of MaxBatches
	MaxHeld              int // bytes of contents and answers in memory, over all requests
	MaxClientHeld        int // of one client; 0: half of MaxHeld

	// The rate of a client.
	Rate    float64        // requests and lines of batches in a second; 0: no limit
	Burst   int            // the most of them at once
	Proxies []netip.Prefix // whose X-Forwarded-For is believed

	// Timeouts.
	ReadHeaderTimeout time.Duration
	ReadTimeout       time.Duration // for a whole request
	WriteTimeout      time.Duration // for a whole response
	IdleTimeout       time.Duration // between two requests of a connection
	BatchTimeout      time.Duration // for a batch to make some progress
	MaxBatchTime      time.Duration // for a whole batch
	QueueTimeout      time.Duration // for a command to wait its turn
	DrainDelay        time.Duration // how long to continue with /readyz false; 0: not at all
	Grace             time.Duration // for the requests in flight at the end

	// Access.
	TLS     *Certificate // nil: plain HTTP
	Tokens  *Tokens      // requests need one of them; nil: they need none
	Hosts   Hosts        // that are answered for; nil: any
	Origins []string     // of web pages that may call the API; "*": all; none: none
	// PageAsks lets the page ask the service where the program was built without the
	// engine for the browser. It is for services that only this machine reaches.
	PageAsks bool

	// Log and metrics.
	Log         *slog.Logger
	LogRequests string // which requests get a line: LogFailed, LogAll or LogNone
	LogClients  bool   // whether a line has the address of the client
	// DroppedLines, if it is not nil, returns the number of lines that the log
	// dropped.
	DroppedLines func() int64
	Version      string       // of the program, for the metrics
	HideMetrics  bool         // serve /metrics on Debug only
	Debug        net.Listener // for profiles and metrics; nil: none

	// Opened, if it is not nil, is called once after Serve has opened all files
	// and addresses that it needs.
	Opened func()
}

// Defaults returns the limits that suit most services. It has no log.
func Defaults() Config {
	return Config{
		MaxBody:   1 << 20,
		MaxHeader: 16 << 10,
		MaxURL:    8 << 10,
		MaxDepth:  api.DefaultDepth,
		Command:   engine.Limits{Requests: 1000, PartDepth: 64},
		MaxAnswer: 16 << 20,

		MaxConnections: 2000,
		MaxRequests:    1000,
		MaxConversions: runtime.GOMAXPROCS(0),
		MaxBatches:     128,
		BatchLines:     100,
		MaxHeld:        64 << 20,

		Burst: 20,

		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		BatchTimeout:      30 * time.Second,
		MaxBatchTime:      time.Hour,
		QueueTimeout:      5 * time.Second,
		Grace:             10 * time.Second,

		Log:         slog.New(slog.DiscardHandler),
		LogRequests: LogFailed,
	}
}

// withDefaults returns the configuration with zeros replaced.
func (c Config) withDefaults() Config {
	d := Defaults()
	c.MaxBody = cmp.Or(c.MaxBody, d.MaxBody)
	c.MaxLine = cmp.Or(c.MaxLine, c.MaxBody)
	c.MaxHeader = cmp.Or(c.MaxHeader, d.MaxHeader)
	c.MaxURL = cmp.Or(c.MaxURL, d.MaxURL)
	c.MaxDepth = cmp.Or(c.MaxDepth, d.MaxDepth)
	c.Command.Requests = cmp.Or(c.Command.Requests, d.Command.Requests)
	c.MaxAnswer = cmp.Or(c.MaxAnswer, d.MaxAnswer)
	c.Command.PartDepth = cmp.Or(c.Command.PartDepth, d.Command.PartDepth)

	c.MaxConnections = cmp.Or(c.MaxConnections, d.MaxConnections)
	c.MaxClientConnections = cmp.Or(c.MaxClientConnections, max(c.MaxConnections/4, 1))
	c.MaxRequests = cmp.Or(c.MaxRequests, d.MaxRequests)
	c.MaxConversions = cmp.Or(c.MaxConversions, d.MaxConversions)
	c.MaxBatches = cmp.Or(c.MaxBatches, d.MaxBatches)
	c.BatchLines = cmp.Or(c.BatchLines, d.BatchLines)
	c.MaxHeld = cmp.Or(c.MaxHeld, d.MaxHeld)
	c.MaxClientBatches = cmp.Or(c.MaxClientBatches, max(c.MaxBatches/8, 1))
	c.MaxClientHeld = cmp.Or(c.MaxClientHeld, max(c.MaxHeld/2, 1))
	c.Burst = cmp.Or(c.Burst, d.Burst)

	c.ReadHeaderTimeout = cmp.Or(c.ReadHeaderTimeout, d.ReadHeaderTimeout)
	c.ReadTimeout = cmp.Or(c.ReadTimeout, d.ReadTimeout)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, d.WriteTimeout)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, d.IdleTimeout)
	c.MaxBatchTime = cmp.Or(c.MaxBatchTime, d.MaxBatchTime)
	c.BatchTimeout = cmp.Or(c.BatchTimeout, d.BatchTimeout)
	c.QueueTimeout = cmp.Or(c.QueueTimeout, d.QueueTimeout)
	c.Grace = cmp.Or(c.Grace, d.Grace)
	c.Log = cmp.Or(c.Log, d.Log)
	c.LogRequests = cmp.Or(c.LogRequests, d.LogRequests)
	return c
}

// requestLimits returns the limits of requests.
func (c *Config) requestLimits() api.Limits {
	return api.Limits{Line: c.MaxLine, Depth: c.MaxDepth, Command: c.Command, PublicSuffix: suffix.Public}
}
