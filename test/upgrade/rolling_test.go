package upgrade

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/test/binary"
)

// These tests need the binary of an earlier commit:
//
//	mkdir /tmp/last && git archive d26bf90 | tar -x -C /tmp/last && go build -C /tmp/last -o /tmp/lull-last ./cmd/lull
//	LULL_TEST_LAST_RELEASE=/tmp/lull-last go test ./test/upgrade -run Rolling -v
const lastRelease = "LULL_TEST_LAST_RELEASE"

// binaries returns the paths of the earlier command and of this one.
func binaries(t *testing.T) (before, now string) {
	t.Helper()
	if before = os.Getenv(lastRelease); before == "" {
		t.Skipf("needs %s, the path of the last release's binary", lastRelease)
	}
	now, remove, err := binary.Lull()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	return before, now
}

// roll is a pool that is upgraded.
type roll struct {
	t *testing.T
	*recorder
	before, now string
	more        map[string][]string // arguments of processes
}

func newRoll(t *testing.T) *roll {
	before, now := binaries(t)
	dir := t.TempDir()
	for at := dir; at != os.TempDir() && len(at) > 1; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil { //nolint:gosec // tasks run as nobody
			t.Fatal(err)
		}
	}
	pool := must(NewPool(dir))(t)
	r := &roll{t: t, recorder: &recorder{Pool: pool, binary: before, ids: map[string]string{}}, before: before, now: now}
	r.more = map[string][]string{"agent-a": nil, "agent-b": {"--stay=false"}}
	ctx, stop := context.WithCancel(context.Background())
	idle := make(chan struct{})
	go func() { r.idle(ctx); close(idle) }()
	t.Cleanup(func() {
		stop()
		<-idle
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *roll) check() {
	r.t.Helper()
	if r.err != nil {
		logs, _ := filepath.Glob(filepath.Join(r.Dir, "*.log"))
		for _, log := range logs {
			said, _ := os.ReadFile(log)
			r.t.Logf("%s:\n%s", filepath.Base(log), said[max(0, len(said)-3000):])
		}
		r.t.Fatal(r.err)
	}
}

// begin starts the pool of the earlier version, with a job with one task that waits for a gate.
// With the second attempt that it gets when it seems late, the task takes two slots of four, and
// the other jobs go on.
func (r *roll) begin(names ...string) {
	r.t.Helper()
	for _, name := range names {
		r.start(name, r.more[name]...)
	}
	r.await("two hosts", func() bool { return len(r.states("hosts", "host")) == 2 })
	r.submit("patient", indent("stages:",
		"  - {name: a, tasks: 1, retries: 10, command: 'while [ ! -e "+r.gate()+" ]; do sleep 0.5; done; echo $LULL_TASK > $LULL_OUT/n'}",
		"  - {name: b, tasks: 1, from: {stage: a}, command: 'cat $(cat $LULL_INPUT_LIST) > $LULL_OUT/all'}"))
	r.runs("patient", 1)
	r.check()
}

func (r *roll) gate() string { return filepath.Join(r.Dir, "gate") }

// replace stops a process and starts one of the other version in its place.
func (r *roll) replace(name, binary string) {
	r.t.Helper()
	r.t.Logf("%s becomes %s", name, filepath.Base(binary))
	if r.err == nil {
		r.err = r.Stop(name)
	}
	if r.err == nil {
		r.err = r.Start(name, binary, r.more[name]...)
	}
	r.works("after-" + name + "-" + filepath.Base(binary))
}

// works runs a job to its end.
func (r *roll) works(name string) {
	r.t.Helper()
	r.await("the server to answer", func() bool { return r.states("hosts", "host") != nil })
	r.submit(name, indent("stages:", "  - {name: a, tasks: 2, command: 'echo it > $LULL_OUT/n'}"))
	r.ends(name, "finished")
	r.check()
}

// finish opens the gate and checks that every job finishes, that each task was committed once,
// and that this version can read the outputs.
func (r *roll) finish() {
	r.t.Helper()
	if err := os.WriteFile(r.gate(), nil, 0o644); err != nil { //nolint:gosec // tasks look at it as nobody
		r.t.Fatal(err)
	}
	r.binary = r.now
	r.ends("patient", "finished")
	for name, id := range r.ids {
		to := filepath.Join(r.Dir, "out-"+name)
		r.lull("outputs", id, "--to", to)
		if found, _ := filepath.Glob(filepath.Join(to, "*", "*")); r.err == nil && len(found) == 0 {
			r.t.Errorf("outputs of %s in %s = none, want some", name, to)
		}
	}
	if r.err == nil {
		r.err = r.log(context.Background())
	}
	r.check()
	r.once()
}

// once checks by the log that no task was committed twice and no job ended twice.
func (r *roll) once() {
	r.t.Helper()
	state, commits, ends := ledger.New(), map[string]int{}, map[string]int{}
	for _, e := range r.f.Entries {
		event, err := subjects.Decode(subjects.DefaultPool, e.Subject, e.Body)
		if err != nil {
			r.t.Fatalf("Decode(entry %d on %s) = %v, want no error", e.Seq, e.Subject, err)
		}
		verdict := state.Apply(e.Seq, time.Unix(0, e.Time), event)
		switch event := event.(type) {
		case *subjects.Finished:
			if verdict.Outcome == ledger.Committed {
				commits[fmt.Sprint(event.Job, event.TaskID)]++
			}
		case *subjects.JobFinished:
			if verdict.Outcome != ledger.Void {
				ends[event.Job]++
			}
		}
	}
	for what, n := range commits {
		if n != 1 {
			r.t.Errorf("commits of task %s = %d, want 1", what, n)
		}
	}
	for name, id := range r.ids {
		if ends[id] != 1 {
			r.t.Errorf("ends of job %s = %d, want 1", name, ends[id])
		}
	}
}

// TestRollingUpgrade replaces a running pool process by process, in two orders.
func TestRollingUpgrade(t *testing.T) {
	for _, order := range []string{
		"server-1 admission-1 slotter-1 agent-a agent-b", "agent-b slotter-1 agent-a admission-1 server-1",
	} {
		t.Run(strings.ReplaceAll(order, " ", ","), func(t *testing.T) {
			r := newRoll(t)
			r.begin("server-1", "admission-1", "slotter-1", "agent-a", "agent-b")
			for _, name := range strings.Fields(order) {
				r.replace(name, r.now)
			}
			r.finish()
		})
	}
}

// TestRollingStandby runs services of both versions at the same time. Each takes over when
// the other is killed, more than once.
func TestRollingStandby(t *testing.T) {
	r := newRoll(t)
	r.begin("server-1", "admission-1", "slotter-1", "agent-a", "agent-b")
	for i, binary := range []string{r.now, r.before, r.now} {
		for _, kind := range []string{"admission-", "slotter-"} {
			was, next := kind+fmt.Sprint(i+1), kind+fmt.Sprint(i+2)
			if r.err = r.Start(next, binary); r.err == nil {
				r.works(fmt.Sprintf("beside-%s%d", kind, i))
				r.Kill(was)
			}
			r.works(fmt.Sprintf("without-%s%d", kind, i))
		}
	}
	r.finish()
}
