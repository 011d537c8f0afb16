package serve

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// loadTokens reads the file of tokens. It refuses a file that is being written in
// place, as far as that shows: the end of the last line is missing where there was
// one before.
func (o *options) loadTokens() error {
	text, err := readRegular(o.tokenFile)
	if err != nil {
		return err
	}
	whole := bytes.HasSuffix(text, []byte("\n"))
	if o.tokensWhole && !whole {
		return errors.New("the file ends in the middle of a line; write a new file beside it and rename that")
	}
	if err := o.config.Tokens.Load(text); err != nil {
		return err
	}
	o.tokensWhole = whole
	return nil
}

// settle waits until a file has not been written for a moment, because a program
// that writes it in place may be at the end of any line. It gives up after a while.
func settle(name string) {
	before, _ := os.Stat(name)
	for range 50 {
		time.Sleep(100 * time.Millisecond)
		now, err := os.Stat(name)
		if err != nil || before != nil && now.Size() == before.Size() && now.ModTime().Equal(before.ModTime()) {
			return
		}
		before = now
	}
}

// readRegular reads a file unless it is a pipe or a device, which could let the
// reader wait for ever.
func readRegular(name string) ([]byte, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("it is no regular file"))
	}
	return io.ReadAll(file)
}

// loadCertificate reads the files of TLS.
func (o *options) loadCertificate() error {
	chain, err := readRegular(o.tlsCert)
	if err != nil {
		return err
	}
	key, err := readRegular(o.tlsKey)
	if err != nil {
		return err
	}
	return o.config.TLS.Load(chain, key)
}

// reload reads the tokens and the certificate again after each SIGHUP. If that fails,
// they stay as they are. Without files it only logs the signal.
func reload(hangup <-chan os.Signal, log *slog.Logger, o *options) {
	if o.tokenFile != "" {
		log.Info("tokens", "count", o.config.Tokens.Len())
	}
	for range hangup {
		if o.tokenFile == "" && o.tlsCert == "" {
			log.Info("SIGHUP is ignored: there is no -token-file and no -tls-cert to read again")
			continue
		}
		if o.tokenFile != "" {
			settle(o.tokenFile)
			if err := o.loadTokens(); err != nil {
				log.Error("the tokens stay as they were", "reason", err.Error())
			} else {
				log.Info("tokens", "count", o.config.Tokens.Len())
			}
		}
		if o.tlsCert != "" {
			settle(o.tlsCert)
			settle(o.tlsKey)
			if err := o.loadCertificate(); err != nil {
				log.Error("the certificate stays as it was", "reason", err.Error())
			} else {
				log.Info("certificate read again")
			}
		}
	}
}

// foldersOf returns the folders to keep readable for a file that is read again: its own
// and, if it is a link, that of its target. The whole folders stay readable,
// because a new file replaces the old one.
func foldersOf(file string) []string {
	folders := []string{filepath.Dir(file)}
	if behind, err := filepath.EvalSymlinks(file); err == nil {
		if dir := filepath.Dir(behind); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}
