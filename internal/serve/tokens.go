package serve

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
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
// tokens stay as they are.
func reloadTokens(ctx context.Context, log *slog.Logger, o *options) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	log.Info("tokens", "count", o.config.Tokens.Len())
	go func() {
		defer signal.Stop(hangup)
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangup:
			}
			if err := o.loadTokens(); err != nil {
				log.Error("the tokens stay as they were", "reason", err.Error())
				continue
			}
			log.Info("tokens", "count", o.config.Tokens.Len())
		}
	}()
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
