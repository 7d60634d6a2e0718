package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"lull/client"
	"lull/cmd/lull/serve/folder"
	"lull/subjects"
	"lull/test/poll"
	"lull/test/taskuser"
	"lull/test/unguarded"
)

// fleet is a pool of real processes around one `lull server`.
type fleet struct {
	t      *testing.T
	dir    string
	url    string
	number int64 // among the fleets of this process
	server *process
	within []string        // a command that starts the next process elsewhere
	alive  context.Context // ends when a process has failed, with that as its cause
	failed context.CancelCauseFunc
}

// process is one of them.
type process struct {
	*exec.Cmd
	name string
	said safeBuffer
	done chan struct{} // closed when it has ended
	err  error         // of its end
	want atomic.Int64  // exit code that is well, besides 0
}

// safeBuffer takes what a process prints while a test may read it.
type safeBuffer struct {
	sync.Mutex
	b bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.Lock()
	defer s.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.Lock()
	defer s.Unlock()
	return s.b.String()
}

// fleets counts those that were made.
var fleets atomic.Int64

// newFleet returns a fleet with a server.
func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := emptyFleet(t)
	f.startServer("127.0.0.1:0")
	return f
}

func emptyFleet(t *testing.T) *fleet {
	t.Helper()
	if race {
		t.Skip("needs a build without the race detector, which finds nothing: the test only waits for processes that are built without it")
	}
	f := &fleet{t: t, dir: dataFolder(t), number: fleets.Add(1)}
	f.alive, f.failed = context.WithCancelCause(t.Context())
	fleetOf.Store(t, f)
	t.Cleanup(func() { fleetOf.Delete(t) })
	return f
}

// fleetOf has each test's fleet.
var fleetOf sync.Map

// patiently returns a context for one wait of a test: for patience, but not beyond the failure of a process of the test's fleet.
func patiently(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx := t.Context()
	if f, ok := fleetOf.Load(t); ok {
		ctx = f.(*fleet).alive
	}
	return poll.Chance(ctx, patience)
}

// dataFolder returns a folder beside those of temporary files. Tasks may write to those, and an agent
// whose tasks run as its own user doesn't start where they could write to its data folder.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "lull-fleet-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func (f *fleet) startServer(listen string) {
	f.t.Helper()
	data := filepath.Join(f.dir, "server")
	p := f.launch("server", "server", "--data", data, "--listen", listen)
	f.eventually("the server to be up", func() bool {
		at, ok := folder.Find(data)
		f.url = at.URL
		return ok && at.PID == p.Process.Pid
	})
	if f.server == nil { // its clients stop first, also for its successor
		f.t.Cleanup(func() { f.end(f.server) })
	}
	f.server = p
}

// restartServer kills the server, and starts it again at the same address.
func (f *fleet) restartServer() {
	f.t.Helper()
	f.server.kill()
	f.startServer(strings.TrimPrefix(f.url, "nats://"))
}

// port is one that was free a moment ago.
func port(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it was never used
	_, number, _ := net.SplitHostPort(l.Addr().String())
	return number
}

// service starts a process that works for the fleet's server.
func (f *fleet) service(name, kind string, args ...string) *process {
	f.t.Helper()
	return f.start(name, append([]string{kind, "--nats", f.url}, args...)...)
}

// agent starts an agent with a data folder of its own.
func (f *fleet) agent(name string, args ...string) *process {
	f.t.Helper()
	args = slices.Concat(unguarded.Flags(), taskuser.Flags(), args)
	args = append([]string{"--name", f.host(name), "--data", filepath.Join(f.dir, name), "--slots", "1", "--stay=false"}, args...)
	// Tests follow tasks by the files that these leave beside the job.
	args = append(args, "--task-write", os.TempDir())
	return f.service(name, "agent", args...)
}

// host returns a host's name: cgroups are called by it, and fleets run side by side.
func (f *fleet) host(name string) string { return fmt.Sprintf("%s-%d-%d", name, os.Getpid(), f.number) }

// start runs a process for the length of the test.
func (f *fleet) start(name string, args ...string) *process {
	f.t.Helper()
	p := f.launch(name, args...)
	f.t.Cleanup(func() { f.end(p) })
	return p
}

func (f *fleet) launch(name string, args ...string) *process {
	f.t.Helper()
	line := append(append(slices.Clone(f.within), command(f.t)), args...)
	p := &process{Cmd: exec.Command(line[0], line[1:]...), name: name, done: make(chan struct{})}
	p.Env = append(os.Environ(), "LULL_TOKEN=secret")
	p.Stderr = &p.said
	if err := p.Start(); err != nil {
		f.t.Fatal(err)
	}
	go func() {
		p.err = p.Wait()
		if code := p.ProcessState.ExitCode(); code != 0 && int64(code) != p.want.Load() {
			f.failed(fmt.Errorf("%s ended with exit code %d, want it to run; it said:\n%s", p.name, code, last(p.said.String())))
		}
		close(p.done)
	}()
	return p
}

// last returns the end of what a process printed.
func last(said string) string { return said[max(0, len(said)-2000):] }

// kill kills a process and waits for its end.
func (p *process) kill() {
	p.want.Store(-1)
	_ = p.Process.Kill()
	<-p.done
}

// end stops a process, and shows what it printed if the test failed.
func (f *fleet) end(p *process) {
	f.t.Helper()
	f.stop(p)
	if f.t.Failed() {
		f.t.Logf("%s said:\n%s", p.name, p.said.String())
	}
}

// stop ends a process as an operator does, and expects it to end well.
func (f *fleet) stop(p *process) {
	f.t.Helper()
	_ = p.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.done:
	case <-time.After(patience):
		_ = p.Process.Kill()
		f.t.Errorf("%s still runs %v after SIGTERM, want its end", p.name, patience)
	}
	if code := p.ProcessState.ExitCode(); int64(code) != p.want.Load() {
		f.t.Errorf("%s ended with %v, exit code %d, want exit code %d", p.name, p.err, code, p.want.Load())
	}
}

func (f *fleet) client() *client.Client { return f.clientWith("secret") }

// clientWith connects, once there is a pool to speak to.
func (f *fleet) clientWith(token string) (c *client.Client) {
	f.t.Helper()
	f.eventually("a service to make the pool", func() bool {
		nc, err := nats.Connect(f.url, nats.Token(token), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
		if err == nil {
			c, err = client.Open(f.t.Context(), nc, subjects.DefaultPool)
		}
		return err == nil
	})
	f.t.Cleanup(c.Close)
	return c
}

// eventually waits for a condition that no event announces.
func (f *fleet) eventually(what string, cond func() bool) {
	f.t.Helper()
	met := poll.Until(patience, 20*time.Millisecond, func() bool { return f.alive.Err() != nil || cond() })
	if err := context.Cause(f.alive); err != nil {
		f.t.Fatalf("waiting for %s: %v", what, err)
	}
	if !met {
		f.t.Fatalf("waited %v for %s", patience, what)
	}
}

func (f *fleet) says(p *process, text string) {
	f.t.Helper()
	f.eventually(fmt.Sprintf("%s to say %q", p.name, text), func() bool { return strings.Contains(p.said.String(), text) })
}
