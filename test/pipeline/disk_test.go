package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/cmd/lull/serve/local"
	"lull/subjects/ledger"
	"lull/test/poll"
)

// A job with tasks that end while the disk is full is neither lost nor failed.
func TestAFullDiskHoldsAJobUp(t *testing.T) {
	volume := t.TempDir()
	if err := unix.Mount("lull-test", volume, "tmpfs", 0, "size=256m"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(volume, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	l, c := start(t, local.Config{Data: filepath.Join(volume, "data")})
	gate := filepath.Join(t.TempDir(), "open")
	job := submit(t, c, ".", `
name: patient
stages:
  - {name: a, tasks: 4, retries: 0, command: 'while [ ! -e `+gate+` ]; do sleep 0.02; done'}
`)
	when(t, c, job, func(j *ledger.Job) bool { return j.Held() > 0 })

	ballast := filepath.Join(volume, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 200<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	health(t, l, false)
	write(t, gate, "")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	health(t, l, true)
	if j := finished(t, c, job); j.Totals.Failed != 0 {
		t.Errorf("totals = %+v, want no failures", j.Totals)
	}
}

// health waits until all services are healthy, or one is not.
func health(t *testing.T, l *local.Local, want bool) {
	t.Helper()
	var err error
	settled := func() bool {
		err = errors.Join(l.Healthy()...)
		return (err == nil) == want
	}
	if !poll.Until(patience, 20*time.Millisecond, settled) {
		t.Fatalf("Healthy() after %v = %v, want healthy = %v", patience, err, want)
	}
}
