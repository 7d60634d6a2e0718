package embedded_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/subjects"
	"lull/test/poll"
)

// recoveryPatience bounds the time in which a server with a full disk is to work again.
const recoveryPatience = time.Minute

// smallDisk is a file system of its own, which can be filled without harm.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("lull-test", dir, "tmpfs", 0, "size=256m"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFullDisk fills the disk under a server that writes, and then frees it.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t)
	server := embeddedtest.Start(t, embedded.Config{Dir: dir, SyncAlways: true})
	bus := bustest.Open(t, server, subjects.DefaultPool)
	ctx, cancel := context.WithTimeout(t.Context(), recoveryPatience)
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Guard(ctx, slog.New(slog.NewTextHandler(t.Output(), nil)))
	}()
	defer func() { cancel(); <-done }()

	before, err := bus.Append(ctx, drained(t, 3), actors.Fence{})
	if err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	fill(t, ballast)
	for err == nil { // a frozen stream answers nothing
		short, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
		_, err = bus.Append(short, drained(t, 500), actors.Fence{})
		cancel()
	}
	if ctx.Err() != nil || !errors.Is(err, actors.ErrFull) && !errors.Is(err, actors.ErrUnknown) {
		t.Fatalf("Append on a full disk = %v, want ErrFull or ErrUnknown", err)
	}
	t.Log("full:", err)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if !poll.Until(recoveryPatience, 20*time.Millisecond, func() bool { // the server looks at its disk at times of its own
		if err = server.Healthz(); err == nil {
			_, err = bus.Append(ctx, drained(t, 3), actors.Fence{})
		}
		return err == nil || ctx.Err() != nil
	}) || err != nil {
		t.Fatalf("Append with room again = %v, want no error", err)
	}
	if info, err := bus.Log(ctx); err != nil || info.Last < before+3 || info.First != 1 {
		t.Errorf("log = %+v, %v, want it to go on from %d", info, err, before)
	}
}

// fill writes until nothing more fits.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it is full on purpose
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := file.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}
