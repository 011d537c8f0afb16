package serve

// serveHelp is the text of -h.
const serveHelp = `Usage: uncoil serve [flags]

Runs an HTTP service: POST /api/convert, /api/parse, /api/code and /api/batch,
described by GET /openapi.yaml, with a page to try it at GET /. Operators have
/healthz, /readyz and /metrics. After the first SIGTERM or SIGINT, requests in
flight may end; a second one stops uncoil at once.

Each flag can also be set in the environment: -max-body is UNCOIL_MAX_BODY.
Each limit has its own error, which GET /problems explains. At the start the
log has the most memory that the process takes with its limits.

Examples:

  uncoil serve
  uncoil serve -addr :8080 -drain 5s -rate 50 -trusted-proxies 10.0.0.0/8
  uncoil serve -token-file /etc/uncoil/tokens -debug-addr 127.0.0.1:6060
  UNCOIL_ADDR=:8080 uncoil serve
  curl -H 'Content-Type: text/plain' -d 'curl https://example.com' http://127.0.0.1:8080/api/convert
`
