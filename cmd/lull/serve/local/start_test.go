package local

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/cmd/lull/serve/service"
	"lull/cmd/lull/serve/volume"
)

func TestAStartThatFailsOnAFullDiskSaysSo(t *testing.T) {
	said := make(heard, 16)
	cfg := Config{Shared: service.Shared{Log: slog.New(said)}, Data: t.TempDir(), Floor: 1 << 60}
	fails := func(*Local) error { return errors.New("API error") }
	_, err := open(cfg, fails)
	if !errors.Is(err, volume.ErrUnusable) || !strings.Contains(err.Error(), "--data") || len(said) > 0 {
		t.Errorf("open() on a full disk = %v after %d lines of the log, want ErrUnusable with --data, and no line", err, len(said))
	}
	if err := os.Mkdir(filepath.Join(cfg.Data, serverFolder), 0o700); err != nil { // it has been used
		t.Fatal(err)
	}
	if _, err = open(cfg, fails); !errors.Is(err, volume.ErrUnusable) || !strings.Contains(err.Error(), "API error") {
		t.Errorf("open() of a used folder on a full disk = %v, want ErrUnusable and the failure", err)
	}
	cfg.Data, cfg.Floor = t.TempDir(), 1
	if _, err = open(cfg, fails); errors.Is(err, volume.ErrUnusable) {
		t.Errorf("open() with room = %v, want another error than ErrUnusable", err)
	}
}
