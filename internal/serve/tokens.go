package serve

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
)

// loadTokens reads the file of tokens.
func (o *options) loadTokens() error {
	text, err := os.ReadFile(o.tokenFile)
	if err != nil {
		return err
	}
	return o.config.Tokens.Load(text)
}

// reloadTokens reads the file again after each SIGHUP. When that fails, the
// tokens stay as they are. Without a file there is nothing to do.
func reloadTokens(hangup <-chan os.Signal, log *slog.Logger, o *options) {
	if o.tokenFile != "" {
		log.Info("tokens", "count", o.config.Tokens.Len())
	}
	for range hangup {
		if o.tokenFile == "" {
			log.Info("SIGHUP is ignored: there is no -token-file to read again")
			continue
		}
		if err := o.loadTokens(); err != nil {
			log.Error("the tokens stay as they were", "reason", err.Error())
			continue
		}
		log.Info("tokens", "count", o.config.Tokens.Len())
	}
}

// tokenFolders returns the folders that a file of tokens is read from: its
// own, and where it is a link, that of the file behind it. They are kept
// readable as a whole, for a new file takes the place of the old one.
func tokenFolders(file string) []string {
	folders := []string{filepath.Dir(file)}
	if behind, err := filepath.EvalSymlinks(file); err == nil {
		if dir := filepath.Dir(behind); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}
