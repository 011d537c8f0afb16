package codeproof

import (
	"os"
	"path/filepath"
)

// ambient returns files of a home directory with settings that clients read unasked.
// A program that sends what curl sends, and goes where curl goes, takes none of them.
// .curlrc is among them where the program is not curl itself, which reads it as the
// command does.
func ambient(curlrc bool) map[string]string {
	const login = " login ambient password ambient\n"
	files := map[string]string{
		".netrc":                     "machine 127.0.0.1" + login + "machine localhost" + login + "machine 0.0.0.0" + login + "default" + login,
		".wgetrc":                    "header = X-Ambient: ambient\nuser_agent = ambient\nmax_redirect = 3\nuser = ambient\npassword = ambient\nauth_no_challenge = on\n",
		".config/httpie/config.json": `{"default_options": ["--form", "--follow", "--auth=ambient:ambient"]}`,
		".npmrc":                     "user-agent=ambient\n//127.0.0.1/:_authToken=ambient\n",
	}
	files["_netrc"] = files[".netrc"]
	if curlrc {
		files[".curlrc"] = "header = \"X-Ambient: ambient\"\nuser = ambient:ambient\nlocation\n"
	}
	return files
}

// writeHome writes the files of a home directory, which nobody else may read: some
// clients ask for that.
func writeHome(dir string, files map[string]string) error {
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
