package local

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/cmd/lull/serve/service"
	"lull/subjects"
)

const patience = 90 * time.Second

// heard passes log messages to a test.
type heard chan string

func (h heard) Enabled(context.Context, slog.Level) bool { return true }
func (h heard) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h heard) WithGroup(string) slog.Handler            { return h }
func (h heard) Handle(_ context.Context, r slog.Record) error {
	select {
	case h <- r.Message:
	default: // a test that does not listen must not stop the server
	}
	return nil
}

func (h heard) until(t *testing.T, text string) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case said := <-h:
			if strings.Contains(said, text) {
				return
			}
		case <-deadline:
			t.Fatalf("the log has no %q after %v, want it there", text, patience)
		}
	}
}

// smallDisk mounts a volume of 128 MB for the length of the test.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("lull-test", dir, "tmpfs", 0, "size=128m"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

const floor = 24 << 20

// serverOn starts the part of a Local that has to do with the disk.
func serverOn(t *testing.T, dir string) (*Local, heard) {
	t.Helper()
	said := make(heard, 1000)
	l, err := OpenServer(Config{
		Shared: service.Shared{Log: slog.New(said)}, Data: filepath.Join(dir, "data"), Floor: floor,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l, said
}

func leave(t *testing.T, path string, size int) {
	t.Helper()
	if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskPausesAndRoomGoesOn(t *testing.T) {
	dir := smallDisk(t)
	l, said := serverOn(t, dir)
	bus, err := l.bus(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	message, err := subjects.Encode(bus.Pool(), &subjects.PoolPaused{Who: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	say := func() error {
		_, err := bus.Append(t.Context(), []subjects.Message{message}, actors.Fence{})
		return err
	}
	if err := say(); err != nil {
		t.Fatalf("Append() with room = %v, want no error", err)
	}

	ballast := filepath.Join(dir, "ballast")
	leave(t, ballast, 110<<20)
	said.until(t, "nearly full")
	if err := say(); !errors.Is(err, actors.ErrFull) {
		t.Errorf("Append() on a full disk = %v, want ErrFull", err)
	}
	if err := errors.Join(l.Healthy()...); !errors.Is(err, errDiskFull) {
		t.Errorf("Healthy() on a full disk = %v, want errDiskFull", err)
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	said.until(t, "room again")
	if err := say(); err != nil {
		t.Errorf("Append() with room again = %v, want no error", err)
	}
	if err := errors.Join(l.Healthy()...); err != nil {
		t.Errorf("Healthy() with room again = %v, want no error", err)
	}
}

// A failed write in the server freezes the stream until a restart: the disk can fill up faster than
// the watch looks.
func TestAFrozenStreamThaws(t *testing.T) {
	dir := smallDisk(t)
	l, said := serverOn(t, dir)
	bus, err := l.bus(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	publish := func() error {
		body := make([]byte, 512<<10)
		_, err := bus.Conn().Request(bus.Pool().Submit(), body, time.Second)
		return err
	}
	leave(t, ballast, 110<<20)
	said.until(t, "nearly full")
	for range 200 { // past the gate, as a client would
		_ = publish()
		if l.server.Healthz() != nil {
			break
		}
	}
	if l.server.Healthz() == nil {
		t.Fatal("Healthz() on a full disk = nil, want the stream frozen: does the server handle a full disk by itself now?")
	}
	back := bus.Conn().StatusChanged(nats.CONNECTED)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	said.until(t, "takes events again")
	select {
	case <-back:
	case <-time.After(patience):
		t.Fatalf("no connection %v after the restart, want it back", patience)
	}
	if err := l.server.Healthz(); err != nil {
		t.Errorf("Healthz() after the restart = %v, want no error", err)
	}
	if err := publish(); err != nil {
		t.Errorf("publish() after the restart = %v, want no error", err)
	}
}
