package hostctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

const patience = 2 * time.Minute

// world is a pool in memory with a slotter's part played by the test.
type world struct {
	t    *testing.T
	bus  actors.Bus
	mu   sync.Mutex
	jobs map[string]*subjects.Submitted
	// objects are the bucket's, by name.
	objects map[string][]byte
	// answers replaces the slotter's answer to AskOutputs.
	outputs func(subjects.OutputsAsk) subjects.OutputsAnswer
	wanted  []string
	kept    []subjects.KeptOutput // the slotter's answer to AskKept

	ledger *ledger.State
	events []subjects.Event
	seqs   []uint64
	log    <-chan actors.Delivery
}

func newWorld(t *testing.T) *world { return newWorldOn(t, memory.New("test")) }

func newWorldOn(t *testing.T, bus actors.Bus) *world {
	w := &world{t: t, bus: bus, jobs: map[string]*subjects.Submitted{}, ledger: ledger.New()}
	log, err := w.bus.Follow(t.Context(), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	w.log = log
	return w
}

// Submitted, Object, Ask and Ticket make the world a Lookup.
func (w *world) Submitted(_ context.Context, job string, _ uint64) (*subjects.Submitted, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.jobs[job]; s != nil {
		return s, nil
	}
	return nil, errors.New("no such job")
}

func (w *world) Object(_ context.Context, name string) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b, ok := w.objects[name]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("object %s: %w", name, fs.ErrNotExist)
}

func (w *world) Ticket(ctx context.Context, host string) (answer subjects.TicketAnswer, err error) {
	return askTicket(ctx, w.bus, w.bus.Pool().Pass(host))
}

// askTicket asks for a ticket over the bus, like a reader.
func askTicket(ctx context.Context, bus actors.Bus, subject string) (answer subjects.TicketAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	replies, err := bus.Listen(ctx, "reply.to.reader")
	if err != nil {
		return answer, err
	}
	if err := bus.(*memory.Bus).Send(actors.Delivery{Subject: subject, Reply: "reply.to.reader"}); err != nil {
		return answer, err
	}
	d, ok := <-replies
	if !ok {
		return answer, errors.New("nobody answers on " + subject)
	}
	return answer, subjects.Unmarshal(d.Body, &answer)
}

func (w *world) Ask(_ context.Context, what string, body []byte) ([]byte, error) {
	if what == subjects.AskWanted {
		return subjects.Marshal(&subjects.WantedAnswer{Jobs: w.wanted})
	}
	if what == subjects.AskKept {
		w.mu.Lock()
		defer w.mu.Unlock()
		return subjects.Marshal(&subjects.KeptAnswer{Outputs: w.kept})
	}
	var ask subjects.OutputsAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return nil, err
	}
	answer := w.outputs(ask)
	return subjects.Marshal(&answer)
}

// append writes an event as its author would, and returns its sequence.
func (w *world) append(e subjects.Event) uint64 {
	w.t.Helper()
	m, err := subjects.Encode(w.bus.Pool(), e)
	if err != nil {
		w.t.Fatal(err)
	}
	seq, err := w.bus.Append(w.t.Context(), []subjects.Message{m}, actors.Fence{})
	if err != nil {
		w.t.Fatal(err)
	}
	return seq
}

// submit opens a job with these stages.
func (w *world) submit(job string, stages ...spec.Stage) { w.submitTo(job, "", stages...) }

func (w *world) submitTo(job, output string, stages ...spec.Stage) {
	for i := range stages {
		s := &stages[i]
		def(&s.Name, "stage")
		def(&s.Tasks, 1)
		def(&s.CPU, 1)
		def(&s.Memory, 256<<20)
	}
	e := &subjects.Submitted{Job: job, Spec: spec.Job{Name: job, Type: job, Output: output, Stages: stages}, Inbox: 1, At: 1}
	w.mu.Lock()
	w.jobs[job] = e
	w.mu.Unlock()
	w.append(e)
	w.append(&subjects.Admitted{Job: job, Mode: "affected"})
}

// next folds the log up to the next event of a kind that match wants.
func next[E subjects.Event](w *world, match func(E) bool) (E, uint64) {
	w.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case d := <-w.log:
			e, err := subjects.Decode(w.bus.Pool(), d.Subject, d.Body)
			if err != nil {
				w.t.Fatal(err)
			}
			v := w.ledger.Apply(d.Seq, d.Time, e)
			w.t.Logf("%d %s %+v (%v)", d.Seq, d.Subject, e, v)
			w.events, w.seqs = append(w.events, e), append(w.seqs, d.Seq)
			if want, ok := e.(E); ok && (match == nil || match(want)) {
				return want, d.Seq
			}
		case <-deadline:
			var want E
			w.t.Fatalf("no %T came", want)
		}
	}
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
		Bus: w.bus, Lookup: w, Host: name, Data: filepath.Join(w.t.TempDir(), "d"),
		// Tests of other packages may want every core: a fifth of one is these tasks'.
		Options: Options{Slots: 2, StarveAfter: time.Second, StarveRun: 200 * time.Millisecond},
		MinFree: 1, Grace: 100 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(testWriter{w.t}, nil)),
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Logf("%s", b)
	return len(b), nil
}

// host starts an agent and waits until it has joined.
func (w *world) host(cfg Config) *host {
	w.t.Helper()
	a, err := New(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.run(a, cfg)
}

// run runs an agent that is made already.
func (w *world) run(a *Agent, cfg Config) *host {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	h := &host{Agent: a, w: w, name: cfg.Host}
	h.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	w.t.Cleanup(func() {
		if err := h.stop(); err != nil {
			w.t.Error(err)
		}
	})
	_, h.term = next(w, func(e *subjects.Joined) bool { return e.Host == cfg.Host })
	return h
}

// assign gives a task to a slot of the host and returns the attempt.
func (h *host) assign(job string, stage, task, slot uint32) uint64 {
	return h.w.assign(h.name, h.term, job, stage, task, slot)
}

func (w *world) assign(host string, term uint64, job string, stage, task, slot uint32) uint64 {
	return w.append(&subjects.Assigned{
		Host: host, Job: job, TaskID: subjects.TaskID{Stage: stage, Task: task},
		Term: term, Try: 1, Slot: slot, Width: 1,
	})
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
