package transfer

import (
	"net/netip"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
)

// checkResolve refuses a --resolve that curl refuses: Curl_loadhostpairs() in
// curl 8.22 lib/vdns/dnscache.c.
func (t *transfer) checkResolve() bool {
	for i := range t.c.settings {
		s := &t.c.settings[i]
		if s.ID != curl.OptResolve || len(s.Value.Holes) > 0 || validResolve(s.Value.Text) {
			continue
		}
		if t.b.in.Placeholders && curl.HoldsPlaceholder(s.Value.Text) {
			t.b.warnKept(s.Value.Span)
			continue
		}
		t.b.fail(diag.Diagnostic{Code: diag.CodeInvalidArgument, Span: s.Value.Span, Option: s.Name,
			Message: "the argument of " + s.Name + " must be host:port:address", Hint: "write host:port:address"})
		return false
	}
	return true
}

// validResolve reports whether an entry is -host:port, or
// [+]host:port:address[,address].
func validResolve(entry string) bool {
	if strings.HasPrefix(entry, "-") {
		return true // what is malformed there is ignored
	}
	rest := strings.TrimPrefix(entry, "+")
	if address, ok := strings.CutPrefix(rest, "["); ok {
		if _, rest, ok = strings.Cut(address, "]"); !ok {
			return true // likewise
		}
	} else {
		i := strings.IndexByte(rest, ':')
		if i == 0 || rest == "" {
			return true // likewise
		}
		if i < 0 {
			return false
		}
		rest = rest[i:]
	}
	rest, ok := strings.CutPrefix(rest, ":")
	port, addresses, ok2 := strings.Cut(rest, ":")
	if n, err := strconv.ParseUint(port, 10, 16); !ok || !ok2 || err != nil || n > 65535 {
		return false
	}
	some := false
	for address := range strings.SplitSeq(addresses, ",") {
		if address == "" {
			continue
		}
		address = strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
		if _, err := netip.ParseAddr(address); err != nil {
			return false
		}
		some = true
	}
	return some
}
