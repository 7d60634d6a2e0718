package corruption

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/service"
	"lull/hostctl"
	"lull/hostctl/shim"
	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/poll"
)

// TestMain makes this binary serve as the shim of the tests' slots.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "shim" {
		os.Exit(shim.Main(os.Args[2:]))
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "corruption"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	return m.Run()
}

const (
	pool     = subjects.DefaultPool
	patience = 150 * time.Second
)

// life is a running pool, with all services in this process.
type life struct {
	t      *testing.T
	local  *local.Local
	c      *client.Client
	bus    *jetstream.Bus
	logged *words
}

// words collects the pool's log messages.
type words struct {
	sync.Mutex
	bytes.Buffer
}

func (l *words) Write(b []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(b)
}

func (l *words) String() string {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.String()
}

// start runs the pool of a data folder.
func start(t *testing.T, data string) (*life, error) {
	t.Helper()
	l := &life{t: t, logged: new(words)}
	cfg := local.Config{Data: data, Host: service.HostConfig{Name: fmt.Sprintf("corrupt-%d", os.Getpid()), Options: hostctl.Options{Slots: 2, ReserveCPU: -1}}}
	cfg.Log = slog.New(slog.NewTextHandler(l.logged, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, stop := poll.Chance(t.Context(), patience)
	defer stop()
	var err error
	if l.local, err = local.Start(ctx, cfg); err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = l.local.Close() })
	conn, err := l.local.Conn("test")
	if err != nil {
		t.Fatal(err)
	}
	if l.c, err = client.Open(ctx, conn, pool); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.c.Close)
	l.bus, err = jetstream.Attach(ctx, conn, pool)
	return l, err
}

func (l *life) stop() {
	l.t.Helper()
	l.c.Close()
	if err := l.local.Close(); err != nil {
		l.t.Errorf("Close() = %v, want no error", err)
	}
}

// fill puts messages into the streams that the tests' jobs do not use.
func (l *life) fill() {
	l.t.Helper()
	for i := range 8 {
		l.keep(fmt.Sprintf("of the past %d", i))
	}
}

// keepsMore checks that the streams that fill uses accept new messages.
func (l *life) keepsMore() {
	l.t.Helper()
	l.keep("new")
}

func (l *life) keep(what string) {
	l.t.Helper()
	ctx, stop := poll.Chance(l.t.Context(), patience)
	defer stop()
	name, err := l.bus.PutBlob(ctx, []byte(what))
	if err == nil {
		var body []byte
		if body, err = l.bus.ReadBlob(ctx, name, 0, len(what)); string(body) != what {
			err = errors.Join(err, fmt.Errorf("ReadBlob(list) = %q, want %q", body, what))
		}
	}
	if err == nil {
		err = l.bus.Quarantine(ctx, "log", what, "it is a test", []byte(what))
	}
	if err == nil {
		err = object(ctx, l.bus.Conn(), what)
	}
	if err == nil {
		err = block(ctx, l.bus, what)
	}
	if err != nil {
		l.t.Errorf("keep(%q) = %v, want no error", what, err)
	}
}

// object stores a task list as older versions did, and reads it.
func object(ctx context.Context, conn *nats.Conn, what string) error {
	js, err := upstream.New(conn)
	if err != nil {
		return err
	}
	bucket, err := js.ObjectStore(ctx, pool.Objects())
	if err == nil {
		_, err = bucket.PutString(ctx, what, what)
	}
	if err == nil {
		_, err = bucket.GetString(ctx, what)
	}
	return err
}

// block puts a block of history and reads all blocks. Damaged bytes must count as garbage, not as a block.
func block(ctx context.Context, bus *jetstream.Bus, what string) error {
	b, found := &history.Block{}, false
	owner := history.Owner{Tenant: subjects.Token(what), Cores: 1}
	for i := range int64(history.PerDay) {
		b.Put(i, history.Sample{Mean: uint16(i), Seconds: 120}, owner)
	}
	m := history.Message(pool, subjects.Token(what), b)
	if err := bus.PutHistory(ctx, m); err != nil {
		return err
	}
	_, err := bus.ReadHistory(ctx, 0, "", func(d actors.Delivery) error {
		var got history.Block
		if _, err := history.Read(pool, d.Subject, d.Body, &got); err != nil && !errors.Is(err, history.ErrGarbage) {
			return err
		}
		found = found || d.Subject == m.Subject && bytes.Equal(d.Body, m.Body)
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("ReadHistory() lacks block %s, want it as it was put", m.Subject)
	}
	return err
}

// submit submits a job and returns its id.
func (l *life) submit(name string) string {
	l.t.Helper()
	ctx, stop := poll.Chance(l.t.Context(), patience)
	defer stop()
	d, err := spec.Parse([]byte(fmt.Sprintf(document, name, name)))
	if err == nil {
		err = l.c.Expand(ctx, d, l.t.TempDir())
	}
	if err != nil {
		l.t.Fatal(err)
	}
	id, err := l.c.Submit(ctx, d, client.NewID())
	if err != nil {
		l.t.Fatal(err)
	}
	return id
}

// document is a job that its output names. It has one task, because tasks run in the background
// class and wait while other tests use the machine.
const document = `
name: %s
stages:
  - name: say
    tasks: 1
    command: 'echo "%s $LULL_TASK" > "$LULL_OUT/part-0"'
`

func want(name string) string { return name + " 0\n" }

// when waits until cond is true of the pool's ledger.
func (l *life) when(what string, cond func(*ledger.State) bool) *ledger.State {
	l.t.Helper()
	ctx, stop := poll.Chance(l.t.Context(), patience)
	defer stop()
	view, err := l.c.View(ctx)
	if err == nil {
		err = view.Until(ctx, func() bool { return cond(view.State) })
	}
	if err != nil {
		l.t.Fatalf("waiting for %s: %v; it logged\n%s", what, err, l.logged)
	}
	return view.State
}

func (l *life) finished(id string) *ledger.State {
	l.t.Helper()
	s := l.when("the end of "+id, func(s *ledger.State) bool { j := s.Job(id); return j != nil && j.Phase.Ended() })
	if j := s.Job(id); j.Phase != ledger.Finished {
		l.t.Fatalf("job %s = %v (%s: %s), want finished", id, j.Phase, j.Code, j.Text)
	}
	return s
}

// assigned waits for a job's first attempt.
func (l *life) assigned(id string) *ledger.State {
	l.t.Helper()
	return l.when("an attempt of "+id, func(s *ledger.State) bool { j := s.Job(id); return j != nil && j.Totals.Attempts > 0 })
}

// output reads a finished job's result from its host; the error says that it is lost.
func (l *life) output(s *ledger.State, id string) (string, error) {
	ctx, stop := poll.Chance(l.t.Context(), patience)
	defer stop()
	j := s.Job(id)
	files, err := l.c.Outputs(ctx, s, j, 0)
	if err != nil {
		return "", err
	}
	folder := l.t.TempDir()
	if err := l.c.Fetch(ctx, files, folder); err != nil {
		return "", err
	}
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(folder, f.Place()))
		if err != nil {
			return "", err
		}
		all.Write(b)
	}
	return all.String(), nil
}

// attempts lists the ids of a job's attempts in the log.
func (l *life) attempts(id string) (ids []uint64) {
	l.t.Helper()
	entries, err := l.c.History(l.t.Context(), id)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := e.Event.(*subjects.Assigned); ok {
			ids = append(ids, e.Seq)
		}
	}
	return ids
}

// clone copies the data folder of a running or stopped pool: the files that a process killed
// at this moment would leave.
func clone(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone meanwhile
		}
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		at := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(at, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil || filepath.IsAbs(link) { // batches in memory are not the copy's
				return nil //nolint:nilerr // gone meanwhile
			}
			return os.Symlink(link, at)
		case !d.Type().IsRegular():
			return nil // sockets of shims
		}
		body, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		info, _ := d.Info()
		return errors.Join(err, os.WriteFile(at, body, info.Mode()|0o200))
	})
	if err != nil {
		t.Fatal(err)
	}
}
