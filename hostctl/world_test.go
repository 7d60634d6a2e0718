package hostctl

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lull/actors/memory"
	"lull/hostctl/hostctltest"
	"lull/subjects"
)

const patience = hostctltest.Patience

// world is a pool in memory, to which the test's agents belong.
type world struct{ *hostctltest.World }

func newWorld(t *testing.T) *world { return &world{hostctltest.New(t, memory.New("test"))} }

func next[E subjects.Event](w *world, match func(E) bool) (E, uint64) {
	w.T.Helper()
	return hostctltest.Next(w.World, match)
}

// host is an agent that runs.
type host struct {
	*Agent
	w    *world
	name string
	term uint64
	stop func() error
}

func (w *world) config(name string) Config {
	return Config{
		Bus: w.Bus, Lookup: w, Host: name, Data: filepath.Join(w.T.TempDir(), "d"),
		// Tests of other packages may want every core: a fifth of one is these tasks'.
		Options: Options{Slots: 2, StarveAfter: time.Second, StarveRun: 200 * time.Millisecond},
		MinFree: 1, Grace: 100 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(testWriter{w.T}, nil)),
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Logf("%s", b)
	return len(b), nil
}

// host starts an agent and waits until it has joined.
func (w *world) host(cfg Config) *host {
	w.T.Helper()
	a, err := New(cfg)
	if err != nil {
		w.T.Fatal(err)
	}
	return w.run(a, cfg)
}

// run runs an agent that is made already.
func (w *world) run(a *Agent, cfg Config) *host {
	w.T.Helper()
	h := &host{Agent: a, w: w, name: cfg.Host}
	h.term, h.stop = w.Join(cfg.Host, a.Run)
	return h
}

// assign gives a task to a slot of the host and returns the attempt.
func (h *host) assign(job string, stage, task, slot uint32) uint64 {
	return h.w.Assign(h.name, h.term, job, stage, task, slot)
}

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
