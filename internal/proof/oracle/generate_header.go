package oracle

import "strings"

var headerNames = []string{
	"X-A", "X-B", "x-a", "Accept", "accept", "Content-Type", "content-type", "User-Agent", "Authorization", "Cookie",
	"Referer", "Host", "Range", "Accept-Encoding", "If-Modified-Since", "X_under", "Origin", "Content-Encoding", "If-None-Match",
}

// header is a --header in one of the forms that it takes.
func (d *draft) header() setting {
	name := d.pick(headerNames...)
	switch n := d.random.IntN(100); {
	case n < 50:
		return with("header", 'H', name+": "+d.headerValue())
	case n < 58:
		return with("header", 'H', name+":"+d.pick("", " ", "  ", "\t"))
	case n < 66:
		return with("header", 'H', name+";"+d.pick("", "", "", " ", "x", ";"))
	case n < 76:
		return with("header", 'H', name+d.pick(":", ":  ", " : ", ":\t", "  :", " :")+d.headerValue())
	case n < 80:
		return with("header", 'H', d.pick(name, "", ":", ": x", ";", " ", "a b: c", "é: x", "X-A;b: c", "X-A; b", ":a: b", "\tx: y", " X-A: b", "GET / HTTP/1.1", "X-A:;", "X-A:: b"))
	case n < 84:
		return with("header", 'H', d.pick("Transfer-Encoding: chunked", "Content-Length:", "Expect:", "Expect: 100-continue", "Connection: close", "Connection:", "TE: trailers", "Transfer-Encoding:", "Host:", "Host;", "Host: other.test", "Host: other.test:8080", "Content-Length: 3", "Content-Type: application/json", "Content-Type: multipart/form-data; boundary=b"))
	case n < 90:
		lines := d.pick("X-File: 1\nX-Two: 2\n", "X-File: 1\r\n\r\nX-Two: 2\r\n", "X-File:\n", "X-File;\n\n", "# no comment: x\nA: b", "", " Lead: x\n", "X-Fold: a\n b\n", "Accept: text/x\nno colon\n") // one line each
		return with("header", 'H', "@"+d.file("headers", lines))
	case n < 95:
		return with("header", 'H', name+": "+d.hardText())
	default:
		return with("proxy-header", 0, "X-Proxy: "+d.word())
	}
}

func (d *draft) headerValue() string {
	switch d.random.IntN(8) {
	case 0:
		return d.line()
	case 1:
		return d.pick("a b", " lead", "trail ", "a, b", "a;b", `"q"`, "application/json", "*/*", "text/html; charset=utf-8", "Bearer t.o-k_e.n", "Basic dTpw", "é")
	default:
		return d.word()
	}
}

// cookie is a --cookie: cookies as text, or a file in one of two formats.
func (d *draft) cookie() []setting {
	switch d.random.IntN(5) {
	case 0:
		jar := strings.Join([]string{
			"# Netscape HTTP Cookie File",
			"h.test\tFALSE\t/\tFALSE\t0\tone\t1",
			".h.test\tTRUE\t/\tFALSE\t4102444800\ttwo\t" + d.word(),
			"#HttpOnly_h.test\tFALSE\t/a\tFALSE\t0\tthree\t3",
			"h.test\tFALSE\t/\tTRUE\t0\tsecure\t" + d.pick("s", ""),
			"h.test\tFALSE\t/\tFALSE\t1\told\tx",
			"localhost\tFALSE\t/\tFALSE\t0\tlocal\t1",
			d.pick("broken line", "h.test FALSE / FALSE 0 spaces 1", ""),
		}, d.pick("\n", "\r\n")) + "\n"
		return []setting{with("cookie", 'b', d.file("jar", jar))}
	case 1:
		lines := d.pick("Set-Cookie: a=b\n", "Set-Cookie: a=b; path=/; domain=h.test\nSet-Cookie: c=d; Secure\r\n", "set-cookie:e=f; Max-Age=0\nSet-Cookie: g=h; HttpOnly; path=/a\n", "Set-Cookie: sp = ace ; path=/\n", "X: y\n")
		return []setting{with("cookie", 'b', d.file("cookies.txt", lines))}
	case 2:
		return []setting{with("cookie", 'b', d.pick("missing-jar", "", "/dev/null", "none")), with("cookie", 'b', "x=y")}
	default:
		settings := []setting{with("cookie", 'b', d.pick("a=b", "a=b; c=d", "a=b;c=d", "a=", "=b", " a=b ", "a=b; a=c", d.word()+"="+d.line(), "é=ü"))}
		if d.chance(25) {
			settings = append(settings, with("cookie", 'b', "z="+d.word()))
		}
		return settings
	}
}

// auth returns options that authenticate the user.
func (d *draft) auth() []setting {
	user := with("user", 'u', d.pick("u:p", "u:", ":p", ":", "u:p:q", "u", "ü:é", "u:p@h", "DOM\\u:p", d.word()+":"+d.line()))
	switch d.random.IntN(8) {
	case 0:
		return []setting{with("oauth2-bearer", 0, d.pick("tok.en", "a b", "", d.line()))}
	case 1:
		return []setting{bare(d.pick("basic", "digest", "ntlm", "anyauth", "no-basic", "no-digest"), 0), user}
	case 2:
		netrc := d.pick("machine h.test login u password p\n", "machine other login a password b\ndefault login du password dp\n", "machine h.test\n login \"q u\"\n password \"p\\\"w\"\n", "machine h.test login u\n", "# c\nmachine h.test password p\n", "machine h.test login a password b\nmachine h.test login c password d\n", "")
		return []setting{with("netrc-file", 0, d.file("netrc", netrc))}
	case 3:
		d.Files[".netrc"] = []byte("machine h.test login hu password hp\n")
		return []setting{bare(d.pick("netrc", "netrc-optional"), 0)}
	case 4:
		return []setting{user, bare(d.pick("basic", "digest", "ntlm", "anyauth"), 0), with("oauth2-bearer", 0, "tok")}
	default:
		return []setting{user}
	}
}

// condition makes the request conditional or partial.
func (d *draft) condition() []setting {
	switch d.random.IntN(6) {
	case 0, 1:
		return []setting{with("time-cond", 'z', d.pick("", "", "-", "=", "+")+d.date())}
	case 2:
		return []setting{with("range", 'r', d.pick("0-99", "5", "-500", "100-", "0-0,-1", "1-2,5-6", "abc", "a-b", "", "0x10-2", " 1-2", "9-5"))}
	case 3:
		d.Files["part"] = []byte("12345")
		return []setting{with("continue-at", 'C', d.pick("10", "0", "-", "1x", "-5")), with("output", 'o', "part")}
	default:
		return []setting{with("etag-compare", 0, d.file("etag", d.pick(`"abc"`, "\"abc\"\n", "", "W/\"x\"\r\n", "two\nlines")))}
	}
}

func (d *draft) date() string {
	if d.chance(20) {
		return d.file("dated", "x")
	}
	if d.chance(15) {
		return d.pick("yesterday", "not a date", "32 Jan 2020", "", "12:00", "2020-13-01", "1 Foo 2000", "31 Feb 2021", "99")
	}
	return d.pick("Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "06 Nov 1994 08:49:37 GMT", "Nov  6 08:49:37 1994",
		"1994 Nov 6 08:49:37", "GMT 08:49:37 06-Nov-94 Sunday", "94 6 Nov 08:49:37", "1994.Nov.6", "Sun/Nov/6/94/GMT", "06 Nov 1994 08:49:37 EST", "06 Nov 1994 08:49:37 CEST",
		"Sun, 12 Sep 2004 15:05:58 -0700", "Sat, 11 Sep 2004 21:32:11 +0230", "20040912 15:05:58 -0700", "20040911", "1 Jan 1970", "31 Dec 2099", "2024-02-29", "29 Feb 2024 23:59:60", "1 January 2001 10:20", "1 Jan 69", "1 Jan 71", "06 Nov 1994 08:49:37 Z", "sun, 06 nov 1994 08:49:37 gmt")
}
