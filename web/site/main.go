// Site writes the page as plain files, for any host that serves files over
// HTTP: each as it is, and next to it compressed for hosts that look for that.
//
//	go run ./web/site DIR
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"uncoil/web"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./web/site DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "web/site:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	site, err := web.New(web.Options{})
	if err != nil {
		return err
	}
	if !site.HasEngine {
		return errors.New("the engine is not built: run  go generate ./web  first")
	}
	if err := writeFile(dir, "index.html", site.Index); err != nil {
		return err
	}
	for name, page := range site.Pages {
		if err := writeFile(dir, name+".html", page); err != nil {
			return err
		}
	}
	if err := writeFile(dir, "embed.html", site.Embed); err != nil {
		return err
	}
	if err := writeFile(dir, "offline.js", site.Worker); err != nil {
		return err
	}
	for name, file := range site.Files {
		if err := writeFile(dir, name, file); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(dir, name string, f *web.File) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	for suffix, content := range map[string][]byte{"": f.Plain(), ".gz": f.Gzip(), ".br": f.Brotli} {
		if content == nil {
			continue
		}
		if err := os.WriteFile(name+suffix, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
