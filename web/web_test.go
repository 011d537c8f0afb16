package web_test

import (
	"html"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"uncoil/web"
)

// The same parts are there in the service and on a plain host, which has no
// routes of the service.
func TestSite(t *testing.T) {
	for _, service := range []bool{true, false} {
		site, err := web.New(service)
		if err != nil {
			t.Fatal(err)
		}
		index := string(site.Index.Plain())
		if got := strings.Contains(index, "openapi.yaml"); got != service {
			t.Errorf("service %v: the page links to the service: %v", service, got)
		}
		for _, m := range regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllStringSubmatch(index, -1) {
			name := m[1]
			if strings.HasPrefix(name, "data:") || service && (name == "openapi.yaml" || name == "problems/") {
				continue
			}
			if _, ok := site.Files[name]; !ok {
				t.Errorf("the page names %s, which is not there", name)
			}
		}
		if got := strings.Contains(index, `id="no-engine"`); got == site.HasEngine {
			t.Errorf("with the engine %v, the notice that it is missing: %v", site.HasEngine, got)
		}
		if !strings.Contains(html.UnescapeString(index), `content="`+web.Policy+`"`) {
			t.Error("the page itself has no policy, which plain hosts do not send")
		}
	}
}

// The scripts load nothing but each other and the engine, and know no way to
// send or to keep anything. The network log in the browser says the same of
// what they do.
func TestScriptsSendNothing(t *testing.T) {
	forbidden := regexp.MustCompile(`\b(XMLHttpRequest|sendBeacon|WebSocket|EventSource|RTCPeerConnection|localStorage|sessionStorage|indexedDB|cookie|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b`)
	imported := regexp.MustCompile(`from "([^"]+)"`)
	err := fs.WalkDir(web.Sources(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		source, err := fs.ReadFile(web.Sources(), name)
		if err != nil {
			return err
		}
		if found := forbidden.FindString(string(source)); found != "" && name != "examples.js" {
			t.Errorf("%s has %s", name, found)
		}
		if strings.Contains(string(source), "fetch(") && name != "worker.js" {
			t.Errorf("%s fetches; only worker.js does, the engine", name)
		}
		for _, m := range imported.FindAllStringSubmatch(string(source), -1) {
			if _, err := fs.Stat(web.Sources(), strings.TrimPrefix(m[1], "./")); err != nil {
				t.Errorf("%s imports %s: %v", name, m[1], err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
