package local

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"lull/cmd/lull/serve/service"
)

func TestAStartThatFailsOnAFullDiskSaysSo(t *testing.T) {
	cfg := Config{Shared: service.Shared{Log: slog.New(make(heard, 16))}, Data: t.TempDir(), Floor: 1 << 60}
	_, err := open(cfg, func(*Local) error { return errors.New("API error") })
	if !errors.Is(err, errDiskFull) || !strings.Contains(err.Error(), "--data") {
		t.Errorf("open() on a full disk = %v, want errDiskFull with --data", err)
	}
	cfg.Data, cfg.Floor = t.TempDir(), 1
	if _, err = open(cfg, func(*Local) error { return errors.New("API error") }); errors.Is(err, errDiskFull) {
		t.Errorf("open() with room = %v, want another error than errDiskFull", err)
	}
}
