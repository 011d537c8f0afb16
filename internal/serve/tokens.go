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

// reloadTokens reads the file again after each SIGHUP. If that fails, the tokens
// stay as they are. Without a file it only logs the signal.
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

// tokenFolders returns the folders to keep readable for a file of tokens: its own
// and, if it is a link, that of its target. The whole folders stay readable,
// because a new file replaces the old one.
func tokenFolders(file string) []string {
	folders := []string{filepath.Dir(file)}
	if behind, err := filepath.EvalSymlinks(file); err == nil {
		if dir := filepath.Dir(behind); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}
