package serve

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"lull/cmd/lull/exit"
)

func TestUpThatIsStoppedEarlySaysSo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	cmd := upCommand()
	cmd.SetArgs([]string{"--data", t.TempDir(), "--log-level", "error"})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(ctx)
	if exit.Code(err) != exit.Interrupted || strings.Contains(err.Error(), "context") {
		t.Errorf("%v", err)
	}
}

func TestAStartThatFailsOnAFullDiskSaysSo(t *testing.T) {
	cfg := LocalConfig{Shared: Shared{Log: slog.New(make(heard, 16))}, Data: t.TempDir(), Floor: 1 << 60}
	_, err := open(cfg, func(*Local) error { return errors.New("API error") })
	if !errors.Is(err, errDiskFull) || !strings.Contains(err.Error(), "--data") {
		t.Errorf("%v", err)
	}
	cfg.Data, cfg.Floor = t.TempDir(), 1
	if _, err = open(cfg, func(*Local) error { return errors.New("API error") }); errors.Is(err, errDiskFull) {
		t.Errorf("there is room: %v", err)
	}
}
