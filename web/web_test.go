package web_test

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
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
		site, err := web.New(web.Options{Service: service})
		if err != nil {
			t.Fatal(err)
		}
		index := string(site.Index.Plain())
		if got := strings.Contains(index, `href="docs"`); got != service {
			t.Errorf("service %v: the page links to the service: %v", service, got)
		}
		for _, m := range regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllStringSubmatch(index, -1) {
			name := m[1]
			if strings.HasPrefix(name, "data:") || strings.HasPrefix(name, "#") || site.Pages[strings.TrimSuffix(name, ".html")] != nil || service && (name == "docs" || name == "problems") {
				continue
			}
			if _, ok := site.Files[name]; !ok {
				t.Errorf("the page names %s, which is not there", name)
			}
		}
		if got := strings.Contains(index, `id="no-engine"`); got == site.HasEngine {
			t.Errorf("with the engine %v, the notice that it is missing: %v", site.HasEngine, got)
		}
		if strings.Contains(index, "{{") || strings.Contains(index, "<!--") {
			t.Error("there is a place in the page that nothing was put into")
		}
		if !strings.Contains(html.UnescapeString(index), `content="`+web.Policy+`"`) {
			t.Error("the page itself has no policy, which plain hosts do not send")
		}
	}
}

// The forms of every part are the same content, and the engine is a program.
func TestForms(t *testing.T) {
	site, err := web.New(web.Options{Service: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range site.Files {
		if path.Ext(name) == ".wasm" && !bytes.HasPrefix(file.Plain(), []byte("\x00asm")) {
			t.Errorf("%s is not a program; run  go generate ./web  again", name)
		}
		r, err := gzip.NewReader(bytes.NewReader(file.Gzip()))
		if err != nil {
			t.Fatal(err)
		}
		if content, err := io.ReadAll(r); err != nil || !bytes.Equal(content, file.Plain()) {
			t.Errorf("%s comes out of gzip as something else: %v", name, err)
		}
	}
}

// The scripts load nothing but each other and the engine, know no way to send
// anything, and keep.js alone keeps something, for this tab. The network log in
// the browser says the same of what they do.
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
		if found := forbidden.FindString(string(source)); found != "" && name != "examples.js" && (found != "sessionStorage" || name != "keep.js") {
			t.Errorf("%s has %s", name, found)
		}
		if strings.Contains(string(source), "fetch(") && name != "engine.js" && name != "service.js" {
			t.Errorf("%s fetches; only engine.js does, the engine, and service.js in its place", name)
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
