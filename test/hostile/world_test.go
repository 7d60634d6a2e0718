package hostile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/actors/memory"
	"lull/hostctl"
	"lull/subjects"
	"lull/subjects/spec"
)

// patience bounds every wait. Tasks are in the idle class, and so are their last
// breaths: what takes milliseconds on a quiet machine takes long beside others
// that want every core.
const patience = 120 * time.Second

// slots is how many of a hostile task run at once.
const slots = 2

// world is an agent, and the rest of its pool played by the test.
type world struct {
	t       *testing.T
	bus     actors.Bus
	log     <-chan actors.Delivery
	program string // a copy of this binary that tasks may run
	term    uint64
	cpu     float64 // seconds that the ended attempts of a job used

	mu   sync.Mutex
	jobs map[string]*subjects.Submitted
}

// newWorld starts an agent on a small disk that all users may enter.
func newWorld(t *testing.T) *world {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for cgroups and a small disk")
	}
	w := &world{t: t, bus: memory.New("hostile"), jobs: map[string]*subjects.Submitted{}}
	var err error
	w.log, err = w.bus.Follow(t.Context(), 1, "")
	must(t, err)
	disk := smallDisk(t)
	w.program = copySelf(t, disk)
	w.start(hostctl.Config{
		Bus: w.bus, Lookup: w, Host: "hostile", Data: filepath.Join(disk, "data"), Options: hostctl.Options{Slots: slots},
		MinFree: 1, Grace: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	return w
}

// smallDisk is a folder with room for a few tens of megabytes.
func smallDisk(t *testing.T) string {
	t.Helper()
	at, err := os.MkdirTemp("", "lull-hostile-")
	must(t, err)
	t.Cleanup(func() { _ = os.Remove(at) })
	if err := unix.Mount("lull-hostile", at, "tmpfs", unix.MS_NOSUID, "size=96m,mode=755"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(at, unix.MNT_DETACH)) })
	return at
}

// copySelf puts this binary where another user may run it.
func copySelf(t *testing.T, dir string) string {
	t.Helper()
	in, err := os.Open("/proc/self/exe")
	must(t, err)
	defer in.Close() //nolint:errcheck // read only
	path := filepath.Join(dir, "hostile")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, errors.Join(err, out.Close()))
	return path
}

// Ticket makes the world a hostctl.Lookup, with what follows.
func (*world) Ticket(context.Context, string) (subjects.TicketAnswer, error) {
	return subjects.TicketAnswer{}, errors.New("nothing is fetched here")
}

// start runs the agent until the end of the test.
func (w *world) start(cfg hostctl.Config) {
	w.t.Helper()
	agent, err := hostctl.New(cfg)
	must(w.t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- agent.Run(ctx) }()
	t := w.t // subtests put themselves in its place
	t.Cleanup(func() {
		stop()
		must(t, <-ended)
	})
	w.term = w.until(func(_ uint64, e subjects.Event) bool { _, ok := e.(*subjects.Joined); return ok })
}

// until reads the log up to what is wanted, and returns its sequence.
func (w *world) until(wanted func(seq uint64, e subjects.Event) bool) uint64 {
	w.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case d := <-w.log:
			e, err := subjects.Decode(w.bus.Pool(), d.Subject, d.Body)
			must(w.t, err)
			if wanted(d.Seq, e) {
				return d.Seq
			}
		case <-deadline:
			w.t.Fatalf("the agent does not say what it should; processes of tasks: %v", w.processes("LULL_JOB="))
		}
	}
}

// append writes an event as its author would.
func (w *world) append(e subjects.Event) uint64 {
	w.t.Helper()
	m, err := subjects.Encode(w.bus.Pool(), e)
	must(w.t, err)
	seq, err := w.bus.Append(w.t.Context(), []subjects.Message{m}, actors.Fence{})
	must(w.t, err)
	return seq
}

// submit opens a job of one hostile stage.
func (w *world) submit(job string, t task) {
	e := &subjects.Submitted{Job: job, Inbox: 1, At: 1, Spec: spec.Job{Name: job, Type: job, Stages: []spec.Stage{{
		Name: "stage", Tasks: slots, CPU: 1, Memory: t.memory,
		Argv: []string{"/bin/sh", "-c", t.script}, Env: []string{"HOSTILE=" + w.program},
	}}}}
	w.mu.Lock()
	w.jobs[job] = e
	w.mu.Unlock()
	w.append(e)
	w.append(&subjects.Admitted{Job: job, Mode: "affected"})
}

func (w *world) Submitted(_ context.Context, job string, _ uint64) (*subjects.Submitted, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.jobs[job]; s != nil {
		return s, nil
	}
	return nil, errors.New("no such job")
}

func (w *world) Object(context.Context, string) ([]byte, error) { return nil, fs.ErrNotExist }

func (w *world) Ask(_ context.Context, what string, _ []byte) ([]byte, error) {
	if what == subjects.AskWanted {
		return subjects.Marshal(&subjects.WantedAnswer{})
	}
	return nil, errors.New("nobody answers")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
