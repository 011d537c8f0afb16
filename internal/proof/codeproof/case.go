package codeproof

import (
	"os/user"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"uncoil/internal/engine"
	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

// A Case is a command with what it needs around it.
type Case struct {
	Name, Command string
	oracle.Setup
	// Supplied gives uncoil what the command needs, with the command. Without
	// it the program must read all that when it runs.
	Supplied bool
}

var hostPattern = regexp.MustCompile(`(?i)https?://([^/@\s'"]*@)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]+)?`)

// parse reads the command.
func (c *Case) parse() (*engine.Result, error) {
	if c.Supplied {
		return engine.Parse(c.Command, c.Input())
	}
	return engine.Parse(c.Command, engine.Input{})
}

// Depends reports whether supplying what the command needs changes its
// requests.
func (c Case) Depends() bool {
	c.Supplied = false
	without, err1 := c.parse()
	c.Supplied = true
	with, err2 := c.parse()
	return err1 == nil && err2 == nil && !reflect.DeepEqual(without.Requests, with.Requests)
}

// At returns the case with its requests led to another host, and how uncoil
// reads it. It returns false where they do not all go there then, or do so by
// other ways than a connection to that host.
func (c Case) At(host string) (Case, *engine.Result, bool) {
	const all = "0.0.0.0" // the same machine, but not for every client
	if strings.Contains(c.Command, "://"+all) {
		host = strings.Replace(host, "127.0.0.1", all, 1)
	}
	c.Command = hostPattern.ReplaceAllString(c.Command, "http://${1}"+host)
	r, err := c.parse()
	if err != nil || len(r.Requests) > 3 {
		return c, nil, false
	}
	for i := range r.Requests {
		if !goesTo(&r.Requests[i], host) {
			return c, nil, false
		}
		if !jarsFor(c.Files, &r.Requests[i]) {
			return c, nil, false
		}
		c.Setup = withVariables(c.Setup, r.Requests[i].Variables)
	}
	return c, r, len(r.Requests) > 0
}

// goesTo reports whether a request goes to a host, through no other.
func goesTo(r *request.Request, host string) bool {
	rest, ok := strings.CutPrefix(r.URL, "http://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if !ok || rest != host {
		return false
	}
	for _, o := range r.Options {
		switch o.Name {
		case "proxy":
			if proxy, _ := o.Value.(string); proxy != "" && (!strings.HasPrefix(proxy, "http://") || !strings.Contains(proxy, host)) {
				return false
			}
		case "preproxy", "resolve", "connectTo", "dohUrl", "unixSocket", "abstractUnixSocket", "interface", "localPort", "altSvc", "httpVersion",
			"haproxyProtocol", "haproxyClientip", "proxyTunnel", "ipVersion", "hsts":
			return false
		}
	}
	return true
}

// jarsFor reports whether the cookie files of a request, if it has any, are for
// the recorder's host.
func jarsFor(files map[string][]byte, r *request.Request) bool {
	for _, o := range r.Options {
		names, _ := o.Value.([]string)
		for _, name := range names {
			if content, ok := files[name]; o.Name == "cookieFiles" && ok && !strings.Contains(string(content), "127.0.0.1") {
				return false
			}
		}
	}
	return true
}

// Server answers like a server that does what the path asks for: one of /302/a
// leads to /a, and one of /302-other/a to /a of another name of the host, both
// with a cookie; /404/a has that status; /cookie gives a cookie, and /bytes
// content that is no text.
func Server(r *oracle.Request) string {
	const cookie = "Set-Cookie: given=1; Path=/"
	switch {
	case strings.HasPrefix(r.Target, "/cookie"):
		return Response(r, 200, cookie, "{}")
	case strings.HasPrefix(r.Target, "/bytes"):
		return Response(r, 200, "Content-Type: application/octet-stream", "caf\xe9\xff\r\n")
	case strings.HasPrefix(r.Target, "/204/"):
		return Response(r, 204, "", "")
	}
	if found := statusPattern.FindStringSubmatch(r.Target); found != nil {
		status, _ := strconv.Atoi(found[1])
		return Response(r, status, "Content-Type: text/html\r\nWWW-Authenticate: Basic realm=\"r\"", "<p>no")
	}
	found := redirectPattern.FindStringSubmatch(r.Target)
	if found == nil {
		return Response(r, 200, "Content-Type: application/json", "{}")
	}
	status, _ := strconv.Atoi(found[1])
	to := found[3]
	if host := r.Values("Host"); found[2] != "" && len(host) == 1 {
		to = "http://" + strings.Replace(host[0], "127.0.0.1", "localhost", 1) + to
	}
	return Response(r, status, cookie+"\r\nLocation: "+to, "")
}

var statusPattern = regexp.MustCompile(`^/([45]\d\d)/`)

var redirectPattern = regexp.MustCompile(`^/(30[12378])(-other)?(/.*)$`)

// withVariables gives each variable that is not set a value.
func withVariables(setup oracle.Setup, variables []request.Variable) oracle.Setup {
	env := make(map[string]string)
	for name, value := range setup.Env {
		env[name] = value
	}
	for _, v := range variables {
		if _, set := env[v.Name]; !set && v.Name != "" && !v.HasDefault {
			env[v.Name] = "value-of-" + strings.ToLower(v.Name)
			if me, err := user.Current(); err == nil && v.Name == "USER" {
				env[v.Name] = me.Username // fish sets it to that
			}
		}
	}
	setup.Env = env
	return setup
}
