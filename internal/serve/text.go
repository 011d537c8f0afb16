package serve

// serveHelp is what -h says.
const serveHelp = `Usage: uncoil serve [flags]

Answers over HTTP: POST /api/convert, /api/parse and /api/batch, described by
GET /openapi.yaml, with a page to try it at GET /. Operators have /healthz,
/readyz and /metrics. The first SIGTERM or SIGINT lets requests under way
end; a second one stops uncoil at once.

Each flag can be set in the environment too: -max-body is UNCOIL_MAX_BODY
there. Every limit has an error of its own, which GET /problems explains; the
log says at the start how much memory they come to.

Examples:

  uncoil serve
  uncoil serve -addr :8080 -drain 5s -rate 50 -trusted-proxies 10.0.0.0/8
  uncoil serve -token-file /etc/uncoil/tokens -debug-addr 127.0.0.1:6060
  UNCOIL_ADDR=:8080 uncoil serve
  curl -H 'Content-Type: text/plain' -d 'curl https://example.com' http://127.0.0.1:8080/api/convert
`
