package transfer

import (
	"fmt"
	"strings"
	"testing"
)

// TestCookies holds which cookies of a file curl sends to http://h.test/.
func TestCookies(t *testing.T) {
	line := func(fields ...string) string { return strings.Join(fields, "\t") + "\n" }
	tests := []struct{ jar, want string }{
		{line("h.test", "FALSE", "/", "FALSE", "0", "a", "1"), "a=1"},
		{line(".h.test", "FALSE", "/", "FALSE", "0", "a", "1"), "a=1"},
		{line("H.TEST", "FALSE", "/", "FALSE", "0", "a", "1"), "a=1"},
		{line("h.test", "false", "/", "false", "0", "a", "1"), "a=1"},
		{line("h.test", "FALSE", "FALSE", "0", "a", "1"), "a=1"},
		{line("h.test", "FALSE", "/", "FALSE", "0", "a"), "a="},
		{line("h.test", "FALSE", "/", "FALSE", "0", "a", ""), "a="},
		{line("h.test", "FALSE", "/", "FALSE", "0", "a", "1 2"), "a=1 2"},
		{line("#HttpOnly_h.test", "FALSE", "/", "FALSE", "0", "a", "1"), "a=1"},
		{"# c\n" + line("h.test", "FALSE", "/", "FALSE", "0", "a", "1"), "a=1"},
		{line("h.test", "FALSE", "/", "FALSE", "0", "a", "1") + line("h.test", "FALSE", "/", "FALSE", "0", "a", "2"), "a=2"},
		{line("h.test", "FALSE", "/", "FALSE", "0", "a", "1") + line("h.test", "FALSE", "/", "FALSE", "0", "b", "2") + line("h.test", "FALSE", "/", "FALSE", "0", "ccc", "3"), "ccc=3; b=2; a=1"},
		{line(".test", "TRUE", "/", "FALSE", "0", "a", "1"), "-"},
		{line("test", "TRUE", "/", "FALSE", "0", "a", "1"), "-"},
		{line("h.test", "TRUE", "/x", "FALSE", "0", "a", "1"), "-"},
		{line("h.test", "FALSE", "/", "TRUE", "0", "a", "1"), "-"},
		{line("h.test", "FALSE", "/", "FALSE", "x", "a", "1"), "-"},
		{line("h.test", "FALSE", "/", "FALSE", "0", "a", "1", "x"), "-"},
		{line("h.test", "FALSE", "/", "FALSE", "0", "__Secure-a", "1"), "-"},
		{line("other.test", "FALSE", "/", "FALSE", "0", "a", "1"), "-"},
		{"h.test FALSE / FALSE 0 a 1\n", "-"},

		{"Set-Cookie: a=1; domain=h.test\n", "a=1"},
		{"set-cookie:a=1;DOMAIN=h.test;PATH=/\n", "a=1"},
		{"Set-Cookie: a = 1 ; domain=h.test\n", "a=1"},
		{"Set-Cookie: a=; domain=h.test\n", "a="},
		{"Set-Cookie: a=1=2; domain=h.test\n", "a=1=2"},
		{"Set-Cookie: a=\"1;2\"; domain=h.test\n", "a=\"1"},
		{"Set-Cookie: a=1; domain=h.test; path=x\n", "a=1"},
		{"Set-Cookie: a=1; domain=h.test; path=\"/\"\n", "a=1"},
		{"Set-Cookie: a=1; domain=h.test; max-age=100\n", "a=1"},
		{"Set-Cookie: a=1; domain=h.test; expires=Sun, 06 Nov 2094 08:49:37 GMT\n", "a=1"},
		{"Set-Cookie: a=1; path=/; domain=h.test\r\nSet-Cookie: b=2; domain=h.test\r\n", "a=1; b=2"},
		{"Set-Cookie: a=1\n", "-"},
		{"Set-Cookie: a; domain=h.test\n", "-"},
		{"Set-Cookie: =a; domain=h.test\n", "-"},
		{"Set-Cookie: a=1; domain=h.test; path=/x\n", "-"},
		{"Set-Cookie: a=1; domain=h.test; secure\n", "-"},
		{"Set-Cookie: a=1; domain=other.test\n", "-"},
		{"Set-Cookie: a=1; domain=test\n", "-"},
		{"Set-Cookie: a=1; domain=.h.test; max-age=0\n", "-"},
		{"Set-Cookie: a=1; domain=h.test; expires=Sun, 06 Nov 1994 08:49:37 GMT\n", "-"},
		{"Set-Cookie: __Host-a=1; domain=h.test; secure; path=/\n", "-"},
	}
	for _, test := range tests {
		in := inputs("jar", test.jar)
		in.Now = 1767225600 // in 2026
		if got := field(only(t, in, "-b", "jar", "http://h.test/"), "Cookie"); got != test.want {
			t.Errorf("%q sends %q, want %q", test.jar, got, test.want)
		}
	}
}

// TestCookiesSent holds that 150 cookies of a file go out, and no more:
// MAX_COOKIE_SEND_AMOUNT in curl 8.22 lib/cookie.h.
func TestCookiesSent(t *testing.T) {
	for have, want := range map[int]int{149: 149, 150: 150, 151: 150} {
		var jar strings.Builder
		for i := range have {
			fmt.Fprintf(&jar, "h.test\tFALSE\t/\tFALSE\t0\tc%d\t1\n", i)
		}
		sent := field(only(t, inputs("jar", jar.String()), "-b", "jar", "http://h.test/"), "Cookie")
		if got := strings.Count(sent, "="); got != want {
			t.Errorf("%d of %d cookies are sent, want %d", got, have, want)
		}
	}
}

// TestCookieHeader holds how files, -b and -H come together.
func TestCookieHeader(t *testing.T) {
	jar := "h.test\tFALSE\t/\tFALSE\t0\ta\t1\nh.test\tFALSE\t/\tFALSE\t9999999999\tlong\t2\n"
	tests := []struct {
		args string
		want string
	}{
		{"-b x=y", "x=y"},
		{"-b x=y -b z=w", "x=y; z=w"},
		{"-b jar -b x=y", "long=2; a=1; x=y"},
		{"-j -b jar", "long=2"},
		{"-j --no-junk-session-cookies -b jar", "long=2; a=1"},
		{"-b jar -b jar", "long=2; a=1"},
		{"-b nosuch", "-"},
	}
	for _, test := range tests {
		in := inputs("jar", jar)
		got := field(only(t, in, append(strings.Fields(test.args), "http://h.test/")...), "Cookie")
		if got != test.want {
			t.Errorf("%s sends %q, want %q", test.args, got, test.want)
		}
	}
}
