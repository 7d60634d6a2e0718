package guarding

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/cgroup"
)

// restorerOf restores by fakes, and logs to a buffer.
func restorerOf(t *testing.T, f *fakeBounds) (r *restorer, logged *bytes.Buffer) {
	t.Helper()
	logged = &bytes.Buffer{}
	r, err := newRestorer(Config{Settings: f, Logger: slog.New(slog.NewTextHandler(logged, nil)), Record: filepath.Join(t.TempDir(), RecordName)},
		prometheus.NewCounter(prometheus.CounterOpts{Name: "n"}))
	if err != nil {
		t.Fatal(err)
	}
	return r, logged
}

// Another program that writes each second is put back each second, and told of each minute.
func TestAnEndlessFightIsCountedAndToldOnceAMinute(t *testing.T) {
	f := &fakeBounds{foreign: []cgroup.Foreign{{File: "/g/cpu.shares", Found: "7", Restored: "512"}}}
	r, logged := restorerOf(t, f)
	now := time.Unix(1_800_000_000, 0)
	for range 2 * 60 * 40 { // forty turns a second for two minutes
		r.start(now)
		r.passes.Wait()
		now = now.Add(25 * time.Millisecond)
	}
	if n := r.mu.total; n < 118 || n > 125 {
		t.Errorf("counted %v in two minutes, want one a second", n)
	}
	lines := strings.Count(logged.String(), "\n")
	if lines != 2 || !strings.Contains(logged.String(), "file=/g/cpu.shares found=7 to=512 times=1\n") {
		t.Errorf("log:\n%swant two lines, the first with the file and both values", logged)
	}
	w, err := ReadForeignWrites(r.record)
	if err != nil || w.Count != r.mu.total || w.Last != f.foreign[0] || w.At.IsZero() {
		t.Errorf("record = %+v, %v, want the count and the last file", w, err)
	}
}

func TestARecordBeginsWithTheAgent(t *testing.T) {
	f := &fakeBounds{foreign: []cgroup.Foreign{{File: "a"}}}
	r, _ := restorerOf(t, f)
	r.note(time.Now(), f.foreign...)
	if _, err := newRestorer(Config{Settings: f, Record: r.record}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadForeignWrites(r.record); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("record after the next agent began: %v, want none", err)
	}
}

func TestWhatTheKernelRefusesIsTold(t *testing.T) {
	r, logged := restorerOf(t, &fakeBounds{})
	r.note(time.Now(), cgroup.Foreign{File: "f", Found: "1", Refused: errors.New("busy")})
	if got := logged.String(); !strings.Contains(got, "does not take") || !strings.Contains(got, "error=busy") {
		t.Errorf("log = %q, want the refusal with its reason", got)
	}
}

// A pass that waits for the kernel holds up neither the guard nor a second one.
func TestOnePassAtATime(t *testing.T) {
	r, _ := restorerOf(t, &fakeBounds{foreign: []cgroup.Foreign{{File: "f"}}})
	r.mu.Lock() // as if it took long
	now := time.Now()
	for range 5 {
		r.start(now)
		now = now.Add(time.Second)
	}
	r.mu.Unlock()
	r.end()
	if n := r.mu.total; n != 1 {
		t.Errorf("%v passes, want one", n)
	}
}
