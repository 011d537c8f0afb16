package serve

import "uncoil/internal/edge/cli"

// servePage explains the subcommand.
var servePage = cli.Page{
	Arguments: "[flags]",
	Text: `Runs an HTTP service: POST /api/convert, /api/parse, /api/code, /api/explain and
/api/batch, described by GET /openapi.yaml, with a page to try it at GET /.
Operators have /healthz, /readyz and /metrics. After the first SIGTERM or
SIGINT, requests in flight may end; a second one stops uncoil at once.

Each flag can also be set in the environment: -max-body is UNCOIL_MAX_BODY.
Each limit has its own error, which GET /problems explains. At the start the
log has the most memory that the process takes with its limits.

Without -hosts, a service at a loopback address answers for localhost and
loopback addresses only, unless -trusted-proxies is set, and any other service
for all hosts.
`,
	Examples: []string{
		"uncoil serve -addr :8080 -rate 50 -trusted-proxies 10.0.0.0/8",
		"uncoil serve -token-file /etc/uncoil/tokens -debug-addr 127.0.0.1:6060",
		"UNCOIL_ADDR=:8080 uncoil serve",
	},
	Groups: []cli.Group{
		{Title: "Clients", Flags: "addr rate burst token-file trusted-proxies hosts cors-origins"},
		{Title: "Operators", Flags: "debug-addr log-requests"},
		{Title: "TLS", Flags: "tls-cert tls-key", Rare: true},
		{Title: "Other settings", Flags: "log-format log-level log-clients no-metrics sandbox", Rare: true},
		{Title: "Limits of a request", Flags: "max-body max-header max-url max-line max-depth max-answer max-command-bytes max-command-requests max-part-depth", Rare: true},
		{Title: "Limits of the service", Flags: "max-connections max-requests max-conversions max-batches max-held batch-lines", Rare: true},
		{Title: "Limits of a client", Flags: "max-client-connections max-client-batches max-client-held", Rare: true},
		{Title: "Times", Flags: "read-header-timeout read-timeout write-timeout idle-timeout queue-timeout batch-timeout max-batch-time drain grace", Rare: true},
	},
}
