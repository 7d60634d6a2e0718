package conformance

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/shell"
	"lull/subjects"
)

// Fixture is one fresh pool.
type Fixture struct {
	Bus actors.Bus
	// Send publishes a message as any client can, with headers and reply.
	Send func(actors.Delivery) error
	// Full makes the log refuse messages, or accept them again.
	Full func(bool)
	// Recreate removes the log and makes it anew.
	Recreate func()
	// RecreateInbox removes the inbox and makes it anew; nil where that is impossible.
	RecreateInbox func()
	// Accept makes the log keep one more subject, as a newer version would.
	Accept func(subject string)
	// Intrude puts a message that was published on another subject into the log, as
	// a consumer of another stream can; nil where that is impossible.
	Intrude func(subject string)
	// Quarantined counts what is kept in quarantine.
	Quarantined func() int
}

// Run runs the suite; open makes a fresh pool for each test.
func Run(t *testing.T, open Opener) {
	for _, test := range Suite() {
		t.Run(test.Name, func(t *testing.T) { test.Run(t, open) })
	}
}

// RunParallel runs the suite, some tests side by side: for a bus with real time, in which most of a test is waiting.
func RunParallel(t *testing.T, open Opener) {
	for _, test := range Suite() {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			test.Run(t, open)
		})
	}
}

// Opener makes a fresh pool, closed by the test's cleanup.
type Opener func(t *testing.T) Fixture

// Test is one test of the suite, for callers that run them one by one.
type Test struct {
	Name string
	Run  func(*testing.T, Opener)
}

// Suite lists the tests.
func Suite() []Test {
	return slices.Concat(busSuite, logSuite, leadSuite, appendSuite, snapshotSuite, inboxSuite, newcomerSuite, historySuite)
}

// process is a running shell with its actor.
type process struct {
	t     *testing.T
	bus   actors.Bus
	shell *shell.Shell
	actor *tally
	ctx   context.Context
	stop  context.CancelFunc
	done  chan error
}

// config configures a shell that leads while others run beside it.
func config(bus actors.Bus) shell.Config {
	return shell.Config{Role: actors.Role{Name: "tally", Lease: time.Second}, Bus: bus}
}

// start runs a shell with a fresh actor.
func start(t *testing.T, cfg shell.Config) *process {
	t.Helper()
	h := prepare(t, cfg)
	h.run()
	return h
}

func prepare(t *testing.T, cfg shell.Config) *process {
	t.Helper()
	h := &process{t: t, bus: cfg.Bus, actor: newTally(), done: make(chan error, 1)}
	h.actor.act = cfg.Perform != nil
	cfg.Actor = h.actor
	cfg.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	running, err := shell.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h.shell = running
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

func (h *process) run() {
	go func() { h.done <- h.shell.Run(h.ctx); close(h.done) }()
	h.t.Cleanup(func() { h.stop(); <-h.shell.Done() })
}

// end stops the shell, which must not fail.
func (h *process) end() {
	h.t.Helper()
	h.stop()
	if err := <-h.done; err != nil {
		h.t.Errorf("end of the shell = %v, want no error", err)
	}
}

// kill stops the shell, which may fail.
func (h *process) kill() {
	h.stop()
	if err := <-h.done; err != nil {
		h.t.Log("killed:", err)
	}
}

// poll is the interval between looks at a condition that no step announces, such as
// stepping down.
const poll = 20 * time.Millisecond

// eventually polls a condition that no step announces.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patienceLimit); !holds(); <-time.After(poll) {
		if time.Now().After(end) {
			t.Fatalf("after %v: want that %s", patienceLimit, what)
		}
	}
}

// until waits, step by step, for the actor to be as ok wants it.
func (h *process) until(what string, ok func(*tally) bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patienceLimit)
	defer cancel()
	for met := false; ; {
		err := h.shell.Inspect(ctx, func(actors.Actor) { met = ok(h.actor) })
		if met {
			return
		}
		if err == nil {
			select {
			case <-h.actor.stepped:
				continue
			case <-time.After(poll):
				continue
			case err = <-h.done:
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		if errors.Is(err, shell.ErrStopped) {
			err = <-h.done
		}
		h.t.Fatalf("want %s: %v (state %+v, health %v)", what, err, h.actor.state, h.shell.Healthy())
	}
}

func (h *process) awaitLead() {
	h.t.Helper()
	h.until("leading", func(a *tally) bool { return h.shell.Leading() })
}

// appendEvents appends events as another service would: without a fence of ours.
func appendEvents(t *testing.T, bus actors.Bus, events ...subjects.Event) uint64 {
	t.Helper()
	var batch []subjects.Message
	for _, e := range events {
		m, err := subjects.Encode(bus.Pool(), e)
		if err != nil {
			t.Fatal(err)
		}
		batch = append(batch, m)
	}
	seq, err := bus.Append(t.Context(), batch, actors.Fence{})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func drain(host string) subjects.Event { return &subjects.Drained{Host: host} }

// replay folds the log as it stands, without a shell.
func replay(t *testing.T, bus actors.Bus) state {
	t.Helper()
	return replayTo(t, bus, lastSequence(t, bus))
}

func replayTo(t *testing.T, bus actors.Bus, seq uint64) state {
	t.Helper()
	a := newTally()
	for _, d := range entries(t, bus, 1, "") {
		if event, err := subjects.Decode(bus.Pool(), d.Subject, d.Body); err == nil && d.Seq <= seq {
			a.fold(&actors.Entry{Seq: d.Seq, Time: d.Time, Event: event})
		}
	}
	return a.state
}

// entries reads the log up to its present end.
func entries(t *testing.T, bus actors.Bus, from uint64, filter string) []actors.Delivery {
	t.Helper()
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patienceLimit)
	defer cancel()
	messages, err := bus.Follow(ctx, from, filter)
	if err != nil {
		t.Fatal(err)
	}
	var got []actors.Delivery
	for from <= info.Last && (len(got) == 0 || got[len(got)-1].Seq < info.Last) {
		d, open := <-messages
		if !open {
			t.Fatalf("the log ended, want entries up to %d", info.Last)
		}
		got = append(got, d)
	}
	return got
}
