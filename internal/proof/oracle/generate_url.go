package oracle

import "strings"

// urlSetting is a URL, typed as one or read from a file.
func (d *draft) urlSetting() setting {
	if d.since(8, 13) && d.chance(2) {
		list := "# list\n" + d.url() + "\n\n" + d.pick("", "h.test/2\r\n", " h.test/3 \n", "h.test/4")
		return with("url", 0, "@"+d.file("urls", list))
	}
	return with("url", 0, d.url())
}

// url is a URL in any spelling, a good one mostly.
func (d *draft) url() string {
	url := d.scheme() + d.credentials() + d.host() + d.port() + d.path() + d.query() + d.fragment()
	if d.chance(1) {
		url = d.pick(" ", "\t", "\n") + url
	}
	if d.chance(1) {
		url += d.pick(" ", "\t", "\n", " x")
	}
	return url
}

func (d *draft) scheme() string {
	switch n := d.random.IntN(100); {
	case n < 30:
		return ""
	case n < 74:
		return "http://"
	case n < 87:
		return "https://"
	case n < 95:
		return d.pick("HTTP://", "hTtPs://", "http:/", "http:///", "HTTPS:///", "https:/")
	case n < 97:
		return d.pick("ws://", "wss://", "http:", "//", "://", "http:////")
	case n < 98:
		return d.pick("gopher://", "dict://", "ftp://", "mailto:")
	default:
		return d.pick("nope://", "htp://", "1http://", "h+t-t.p://", "javascript:", "http ://")
	}
}

func (d *draft) credentials() string {
	if d.chance(88) {
		return ""
	}
	if d.chance(8) {
		return d.pick("u:p/@", "u b:c@", "u:p#@", "u:p%00@", "u	@", "%0a:@", "a@b/c@", `u\v:p@`)
	}
	return d.pick("u:p@", "u:p@", "u@", ":p@", "u:@", ":@", "@", "u%40x:p%3ay@", "u:p:q@", "u%20v:%C3%A9@", "u:p@q@", "u;auth=x:p@", "ü:é@", "a%zz:b@", "%2e:%2f@", "{a}:b@")
}

func (d *draft) host() string {
	switch n := d.random.IntN(100); {
	case n < 68:
		return d.pick("h.test", "h.test", "h.test", "example.test", "www.h.test", "localhost", "127.0.0.1", "H.Test")
	case n < 76:
		return d.pick("127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "1.2.3", "256.1.1.1", "08.1.1.1", "1.2.3.4.", "1.2.3.4.5", "0x", "00.0.0.0", "4294967296", "1..2", "0X7F.0.0.1", "127.0.0.1%20")
	case n < 82:
		return d.pick("[::1]", "[2001:DB8::1]", "[::ffff:1.2.3.4]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::]", "[0:0:0:0:0:0:0:1]", "[2001:db8:0:0:1:0:0:1]", "[::1]", "[::1]", "[::1", d.pick("[1.2.3.4]", "[gg::1]", "[::1]x", "[]", "[v1.x]"))
	case n < 88:
		return d.pick("bücher.example", "日本.test", "ÄÖ.test", "faß.test", "xn--bcher-kva.example", "ｆｕｌｌ.test", "a。b.test", "☃.test", "é\u0301.test", "xn--zz.test", "\xff.test", "b\u00adc.test")
	case n < 97:
		return d.pick("h.test.", "a_b.test", "a-b.test", "-a.test", "%68.test", "h%2etest", "h..test", ".test", "h!t", "h$t", "x", "h.test..", "h+t", "h(t)", "h~t", "h'.test", strings.Repeat("a", 70)+".test")
	case n < 98:
		return d.pick("ftp.h.test", "smtp.h.test", "imap.h.test", "dict.h.test", "FTP.h.test")
	default:
		return d.pick("h t.test", "h\ttest", "h^test", "h|t", "", "h%20t", "h%00t", "h<t>", `h"t`, `h\t`, "h;t", "h,t", "h=t", "h&t", "h%zz", "h`t", "h\x7ft", "h*t")
	}
}

func (d *draft) port() string {
	switch n := d.random.IntN(100); {
	case n < 82:
		return ""
	case n < 98:
		return d.pick(":80", ":443", ":8080", ":", ":080", ":65535", ":00000443")
	default:
		return d.pick(":65536", ":-1", ":1x", ":0", ":99999999999", ":8 0", ":+80", "::80", ":٣")
	}
}

var plainSegments = []string{"a", "b", "index.html", "v1", "x.y", "~u", "a+b", "a;b", "a=b", "a,b", "%41", "%c3%a9", "@", ":", "'", "(x)", "$x", "!"}

var oddSegments = []string{".", "..", "%2e", "%2E%2e", ".%2e", "...", "", "", "é", "日", "a%zz", "%", `a\b`, "\xff", "|", "^", "`", `"`, "<x>", "<id>", ":id", "a\\", ".a", "..a", "a..", "%2f", "%00"}

func (d *draft) path() string {
	if d.chance(25) {
		return ""
	}
	path := ""
	for {
		path += "/"
		switch n := d.random.IntN(100); {
		case n < 62:
			path += d.pick(plainSegments...)
		case n < 85:
			path += d.pick(oddSegments...)
		case n < 93:
			path += d.pick("{a,b}", "[1-3]", "[01-10:3]", "[a-c]", "[a-e:2]", "{one}", "{,x}", "{x,}", `\{a\}`, `\[1\]`, `{a\,b,c}`, "[001-002]", "[1-2][a-b]", "{a,b}{c,d}", "x[5-5]", "[A-C]", "{é,b}", "[0-0]", "[8-11]", "[z-z]", "{a b,c}")
		case n < 94 && d.since(8, 21):
			path += d.pick("{<n>a,b}", "[<n>1-2]", "{<n>a}[<m>a-b]", "{<n>a}{<n>b}", "{<>a}", "{<n>}")
		case n < 95:
			path += d.pick("{}", "[1-]", "[3-1]", "{a", "a}", "[]", "{a,{b}}", "[a-Z]", "[1-3:0]", "[1-3:9]", "]", "[-1-3]", "[a-b", `\{a}`, "{a]b}", "[1-3:x]", "[é-z]", `a\{`, "[1,2]", "[1-2", "[ab-c]", "{id}", "[1]")
		case n < 96:
			path += d.pick("a b", "\x01", "a\tb", "\x7f", "a\r\nb", " ")
		default:
			path += strings.Repeat("x", d.random.IntN(40))
		}
		if !d.chance(45) {
			break
		}
	}
	if d.chance(20) {
		path += "/"
	}
	return path
}

func (d *draft) query() string {
	switch n := d.random.IntN(100); {
	case n < 62:
		return ""
	case n < 90:
		return "?" + d.pick("", "a=b", "a=b&c=d", "a", "a=b&", "&", "=", "x=/../y", "a?b", "a=+b", "a=%20", "/", "..", "a=@", "q='x'", "a;b", "a:b", "x=$y")
	case n < 99:
		return "?" + d.pick("a=é", "%", "a=%zz", "\xff", "a=|", `a="x"`, "a=<b>", "a=^", "a=`", `a=\`, "a=%e9", "日=本", "[1-2]", "{x,y}", `\[a\]`, `x=\{"k":1\}`, "a={b}")
	default:
		return "?" + d.pick("a b", "a=\t", "a=\x01", "a\nb")
	}
}

func (d *draft) fragment() string {
	if d.chance(88) {
		return ""
	}
	if d.chance(4) {
		return d.pick("#a b", "#\t")
	}
	return "#" + d.pick("", "f", "a/b?c", "é", "a#b", "%41", "{a,b}", "..")
}
