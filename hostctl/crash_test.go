package hostctl

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/actors/jetstream/embedded/embeddedtest/bustest"
	"lull/hostctl/hostctltest"
	"lull/hostctl/lookup"
	"lull/subjects"
	"lull/subjects/spec"
)

var _ Lookup = (*lookup.Lookup)(nil)

// agentMain is an agent in a process of its own, for tests to kill.
func agentMain(url, data string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	nc, err := connect.Dial(url, "agent", "")
	if err != nil {
		return err
	}
	defer nc.Close()
	bus, err := jetstream.Open(ctx, nc, "test")
	if err != nil {
		return err
	}
	agent, err := New(Config{
		Bus: bus, Lookup: lookup.New(bus), Host: "alpha", Data: data, MinFree: 1, Grace: 100 * time.Millisecond,
		Options: Options{Slots: 2, Stay: os.Getenv("LULL_TEST_STAY") != "", TaskWrite: []string{data}},
	})
	if err != nil {
		return err
	}
	return agent.Run(ctx)
}

// served is a world on a real server, which other processes reach.
type served struct {
	*world
	url string
}

func serveWorld(t *testing.T) *served {
	server := embeddedtest.Start(t, embedded.Config{Listen: "127.0.0.1:0", Pools: []subjects.Pool{"test"}})
	return &served{&world{hostctltest.New(t, bustest.Open(t, server, "test"))}, server.URL()}
}

// process starts an agent and returns the term in which it joined.
func (w *served) process(data string) (*exec.Cmd, uint64) {
	w.T.Helper()
	cmd := exec.Command(os.Args[0], "agent", w.url, data)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_, term := next[*subjects.Joined](w.world, nil)
	return cmd, term
}

func crash(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

// leave ends an agent in peace: it takes its shims and cgroups along.
func leave(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("end of the agent = %v, want no error", err)
	}
}

// A killed agent's tasks go on. The next agent learns how they ended, whether
// that was before or after it came.
func TestKilledAgentsTasksAreAdopted(t *testing.T) {
	t.Run("ended meanwhile", func(t *testing.T) { testAdoption(t, false) })
	t.Run("end afterwards", func(t *testing.T) { testAdoption(t, true) })
}

func testAdoption(t *testing.T, after bool) {
	w := serveWorld(t)
	data, dir := t.TempDir(), t.TempDir()
	first, term := w.process(data)
	wait := "until [ -e " + dir + "/go ]; do sleep 0.01; done; "
	w.Submit("job",
		spec.Stage{Name: "good", Argv: sh(wait + "echo x > $LULL_OUT/x")},
		spec.Stage{Name: "bad", Argv: sh(wait + "exit 7")})
	good := w.Assign("alpha", term, "job", 0, 0, 0)
	bad := w.Assign("alpha", term, "job", 1, 0, 1)
	for range 2 {
		next[*subjects.Started](w.world, nil)
	}
	crash(t, first)
	if !after {
		write(t, dir+"/go", "")
	}
	second, term := w.process(data)
	if after {
		write(t, dir+"/go", "")
	}
	var finished *subjects.Finished
	var failed *subjects.Failed
	next(w.world, func(e subjects.Event) bool {
		switch e := e.(type) {
		case *subjects.Finished:
			finished = e
		case *subjects.Failed:
			failed = e
		}
		return finished != nil && failed != nil
	})
	if finished.Attempt != good || finished.Term != term || finished.Files != 1 {
		t.Errorf("Finished = %+v, want attempt %d in term %d with a file", finished, good, term)
	}
	if failed.Attempt != bad || failed.Exit != 7 {
		t.Errorf("Failed = %+v, want attempt %d with exit 7", failed, bad)
	}
	leave(t, second)
	next[*subjects.Left](w.world, nil)
}

// An agent with Stay leaves its tasks to the next agent.
func TestTasksStayWhenTheAgentLeaves(t *testing.T) {
	w := serveWorld(t)
	data, dir := t.TempDir(), t.TempDir()
	t.Setenv("LULL_TEST_STAY", "yes")
	first, term := w.process(data)
	w.Submit("job", spec.Stage{Argv: sh("until [ -e " + dir + "/go ]; do sleep 0.01; done")})
	id := w.Assign("alpha", term, "job", 0, 0, 0)
	next[*subjects.Started](w.world, nil)
	leave(t, first)
	next[*subjects.Left](w.world, nil)
	t.Setenv("LULL_TEST_STAY", "")
	second, _ := w.process(data)
	write(t, dir+"/go", "")
	if e, _ := next[*subjects.Finished](w.world, nil); e.Attempt != id {
		t.Errorf("Finished = %+v, want attempt %d", e, id)
	}
	leave(t, second)
}

// An agent does not start an attempt that was assigned to its dead predecessor: it is unknown
// whether it ran.
func TestAssignmentsOfADeadAgentVanish(t *testing.T) {
	w := serveWorld(t)
	data := t.TempDir()
	first, term := w.process(data)
	crash(t, first)
	marker := data + "/ran"
	w.Submit("job", spec.Stage{Argv: []string{"/bin/touch", marker}})
	id := w.Assign("alpha", term, "job", 0, 0, 0)
	second, term := w.process(data)
	e, _ := next[*subjects.Evicted](w.world, nil)
	if e.Attempt != id || e.Reason != subjects.ReasonVanished {
		t.Errorf("Evicted = %+v, want attempt %d as vanished", e, id)
	}
	if _, err := os.Stat(marker); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an assignment of an earlier term has begun (%v), want it ignored", err)
	}
	w.Assign("alpha", term, "job", 0, 0, 0)
	next[*subjects.Finished](w.world, nil)
	leave(t, second)
}

// A connection can be lost while the shim lives, and its task must go on.
func TestLostConnectionIsMadeAgain(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	flag := filepath.Join(t.TempDir(), "go")
	w.Submit("job", spec.Stage{Argv: sh("while ! [ -e " + flag + " ]; do sleep 0.01; done")})
	id := h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	intruder, err := net.Dial("unix", h.slots.All()[0].Dir()+"/shim.sock")
	if err != nil {
		t.Fatal(err)
	}
	defer intruder.Close() //nolint:errcheck // read only
	// The shim greets us, has hung up on the agent, and hangs up on us for it.
	if _, err := io.Copy(io.Discard, intruder); err != nil {
		t.Fatal(err)
	}
	write(t, flag, "")
	if e, _ := next[*subjects.Finished](w, nil); e.Attempt != id {
		t.Errorf("Finished = %+v, want attempt %d", e, id)
	}
}

// A shim can hang, on a file server for example. The agent that comes does without it.
func TestAShimThatHangsKeepsNoAgentAway(t *testing.T) {
	w := serveWorld(t)
	data := t.TempDir()
	first, term := w.process(data)
	w.Submit("job", spec.Stage{Name: "long", Argv: sh("sleep 60"), Tasks: 2}, spec.Stage{Name: "brief", Argv: []string{"true"}})
	lost := w.Assign("alpha", term, "job", 0, 0, 0)
	kept := w.Assign("alpha", term, "job", 0, 1, 1)
	for range 2 {
		next[*subjects.Started](w.world, nil)
	}
	crash(t, first)
	stopShim(t, filepath.Join(data, "test", "slot-0"))
	second, term := w.process(data)
	if e, _ := next[*subjects.Evicted](w.world, nil); e.Attempt != lost || e.Reason != subjects.ReasonVanished {
		t.Errorf("Evicted = %+v, want attempt %d vanished", e, lost)
	}
	w.Assign("alpha", term, "job", 1, 0, 0)
	next[*subjects.Finished](w.world, nil)
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: kept})
	if e, _ := next[*subjects.Evicted](w.world, nil); e.Attempt != kept || e.Reason != subjects.ReasonRevoked {
		t.Errorf("Evicted = %+v, want attempt %d, adopted and revoked", e, kept)
	}
	leave(t, second)
}

// stopShim stops the shim that listens in a slot's folder.
func stopShim(t *testing.T, slot string) {
	t.Helper()
	conn, err := net.Dial("unix", slot+"/shim.sock")
	check(t, err)
	defer conn.Close() //nolint:errcheck // read only
	raw, err := conn.(*net.UnixConn).SyscallConn()
	check(t, err)
	check(t, raw.Control(func(fd uintptr) {
		peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		check(t, errors.Join(err, unix.Kill(int(peer.Pid), unix.SIGSTOP)))
	}))
}
