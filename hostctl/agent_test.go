package hostctl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/procfs"

	"lull/hostctl/cgroup"
	"lull/hostctl/slots"
	"lull/hostctl/snapshots"
	"lull/hostctl/vacancy"
	"lull/subjects"
	"lull/subjects/spec"
)

func TestTaskRunsAndItsOutputIsCommitted(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh("echo result > $LULL_OUT/r; sleep 0.1")})
	id := h.assign("job", 0, 0, 0)
	started, _ := next[*subjects.Started](w, nil)
	done, _ := next[*subjects.Finished](w, nil)
	if started.Attempt != id || done.Attempt != id || done.Files != 1 || done.Seconds < 0.1 {
		t.Errorf("started %+v, finished %+v; want attempt %d with one file after 0.1 s", started, done, id)
	}
	f, ok := h.store.Find(id)
	if !ok {
		t.Fatalf("Find(%d) = false for the committed attempt, want true", id)
	}
	if got := read(t, f.Out()+"/r"); got != "result\n" {
		t.Errorf("output = %q, want result", got)
	}
}

func TestFailures(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	cases := []struct {
		name   string
		stage  spec.Stage
		reason string
		exit   int32
		tail   string // of stderr
		text   string
	}{
		{"status", spec.Stage{Argv: sh("echo trouble >&2; exit 3")}, subjects.ReasonExit, 3, "trouble", ""},
		{"signal", spec.Stage{Argv: sh("kill -SEGV $$")}, subjects.ReasonSignal, -11, "", ""},
		{"missing", spec.Stage{Argv: []string{"/no/such/command"}}, subjects.ReasonNotFound, 0, "", "/no/such/command"},
		{"slow", spec.Stage{Argv: sh("sleep 60"), Timeout: 200 * time.Millisecond}, subjects.ReasonTimeout, -15, "", ""},
		{"link", spec.Stage{Argv: sh("ln -s /etc/passwd $LULL_OUT/p")}, subjects.ReasonOutput, 0, "", "p is a symbolic link"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w.Submit(c.name, c.stage)
			h.assign(c.name, 0, 0, 0)
			e, _ := next(w, func(e *subjects.Failed) bool { return e.Job == c.name })
			if e.Reason != c.reason || e.Exit != c.exit || !strings.Contains(e.Tail, c.tail) || !strings.Contains(e.Text, c.text) {
				t.Errorf("Failed of %s = %+v, want reason %s, exit %d, text with %q", c.name, e, c.reason, c.exit, c.text)
			}
		})
	}
}

func TestMemoryLimitNamesTheLimit(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	if !h.Capabilities().Memory.OK() {
		t.Skip("needs a memory limit for tasks")
	}
	for job, command := range map[string]string{
		"plain": "head -c 200000000 /dev/zero | tail",
		"piped": "head -c 200000000 /dev/zero | tail | cat", // ends with status 0
	} {
		w.Submit(job, spec.Stage{Argv: sh(command), Memory: 32 << 20})
		h.assign(job, 0, 0, 0)
		e, _ := next[*subjects.Failed](w, nil)
		if e.Job != job || e.Reason != subjects.ReasonMemory || !e.Final || !strings.Contains(e.Text, "32 MiB") {
			t.Errorf("Failed = %+v, want reason memory, final because it had the same limit again, and a text with the limit", e)
		}
	}
}

func TestTaskSeesWhatIsPromised(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	data := write(t, t.TempDir()+"/data", "one\ntwo\nthree\nfour\n")
	w.Submit("job", spec.Stage{
		Name: "map", Argv: sh(`cat > $LULL_OUT/stdin; env > $LULL_OUT/env; cp $LULL_INPUT_LIST $LULL_OUT/list; pwd > $LULL_OUT/pwd; ls -A >> $LULL_OUT/pwd`),
		Env: []string{"MINE=yes", "LANG=xx"}, Partitions: 3,
		Splits: []spec.Split{{Param: "p=1", Ranges: []spec.Range{{Path: data, Size: 19, Offset: 5, Length: 5}}}},
	}, spec.Stage{Name: "reduce", Argv: sh("true"), Tasks: 3, From: []spec.From{{Stage: 0, Partition: true}}})
	id := h.assign("job", 0, 0, 1)
	next[*subjects.Finished](w, nil)
	f, _ := h.store.Find(id)
	if got := read(t, f.Out()+"/stdin"); got != "three\n" {
		t.Errorf("stdin = %q, want three", got)
	}
	if got := read(t, f.Out()+"/list"); got != data+"\n" {
		t.Errorf("list of inputs = %q, want %s", got, data)
	}
	if got := read(t, f.Out()+"/pwd"); got != f.Work()+"\n" {
		t.Errorf("working folder = %q, want the empty one of its own", got)
	}
	env := "\n" + read(t, f.Out()+"/env")
	for _, want := range []string{
		"LULL_JOB=job", "LULL_STAGE=map", "LULL_TASK=0", "LULL_TASKS=1", "LULL_ATTEMPT=1", "LULL_PARAM=p=1",
		"LULL_LABEL=" + data + " from byte 5",
		"LULL_PARTITIONS=3", "LULL_OUT=" + f.Out(), "LULL_CHECKPOINT=" + f.Checkpoint(), "MINE=yes", "LANG=xx",
		"LULL_INPUT_OFFSET=5", "LULL_INPUT_LENGTH=5",
	} {
		if !strings.Contains(env, "\n"+want+"\n") {
			t.Errorf("the environment lacks %s:%s", want, env)
		}
	}
	if strings.Contains(env, "GOCACHE") || strings.Count(env, "\nLANG=") != 1 {
		t.Errorf("environment =%s, want one LANG and nothing of the agent's", env)
	}
}

func TestCheckpointSurvivesEviction(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh(`cat $LULL_CHECKPOINT/c > $LULL_OUT/was && exit; echo half > $LULL_CHECKPOINT/c; sleep 60`)})
	first := h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	eventually(t, "the task has made its checkpoint", func() bool {
		return strings.HasSuffix(ls(t, h.folder(first).Checkpoint()+"/c"), " 5\n")
	})
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: first})
	evicted, _ := next[*subjects.Evicted](w, nil)
	if evicted.Reason != subjects.ReasonRevoked || evicted.Attempt != first {
		t.Errorf("Evicted = %+v, want attempt %d as revoked", evicted, first)
	}
	second := h.assign("job", 0, 0, 1)
	next[*subjects.Finished](w, nil)
	f, _ := h.store.Find(second)
	if got := read(t, f.Out()+"/was"); got != "half\n" {
		t.Errorf("checkpoint = %q, want half", got)
	}
}

func TestNothingIsLeftOfATaskThatWroteNothing(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: []string{"/bin/true"}})
	h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, h.store.Root()+"/jobs/job/0"); len(got) != 1 {
		t.Errorf("folders left = %v, want one", got)
	}
}

func TestPausedHostIsFrozenAndRefuses(t *testing.T) {
	t.Run("as its kernel can", func(t *testing.T) { testPause(t, func(*slots.Slot) {}) })
	t.Run("by signals", func(t *testing.T) { testPause(t, func(s *slots.Slot) { s.CanFreeze = false }) })
}

func testPause(t *testing.T, limit func(*slots.Slot)) {
	w := newWorld(t)
	cfg := w.config("alpha")
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range a.slots.All() {
		limit(s)
	}
	h := w.run(a, cfg)
	w.Submit("job", spec.Stage{Argv: sh("while :; do echo x >> tick; done"), Tasks: 2})
	first := h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	w.Append(&subjects.Paused{Host: "alpha"})
	void := h.assign("job", 0, 1, 1)
	size := func() string { return ls(t, h.folder(first).Work()+"/tick") }
	eventually(t, "the task stands still", func() bool { return standsStill(t, h.slots.All()[0]) })
	w.Append(&subjects.Resumed{Host: "alpha"})
	still := size()
	eventually(t, "the task goes on", func() bool { return size() != still })
	second := h.assign("job", 0, 1, 1)
	if e, _ := next[*subjects.Started](w, nil); e.Attempt != second {
		t.Errorf("attempt %d started, want %d: %d was assigned behind the pause, and is void", e.Attempt, second, void)
	}
	w.Append(&subjects.Paused{Host: "alpha"})
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: first})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != first {
		t.Errorf("Evicted = %+v, want the frozen attempt %d", e, first)
	}
}

// standsStill reports whether a slot's cgroup is frozen, or, where signals stop what runs
// there, whether each of its processes but the shim is stopped.
func standsStill(t *testing.T, s *slots.Slot) bool {
	t.Helper()
	if s.CanFreeze {
		frozen, err := s.Group.Frozen()
		check(t, err)
		return frozen
	}
	pids, err := s.Group.Pids()
	check(t, err)
	stopped := 0
	for _, pid := range pids {
		p, err := procfs.NewProc(pid)
		if err != nil {
			return false // it has just ended
		}
		stat, err := p.Stat()
		if err != nil || stat.State != "T" && pid != s.Client().PID() {
			return false
		}
		stopped++
	}
	return stopped > 0
}

func TestLostHostJoinsAgainAndGoesOn(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Registerer = prometheus.NewPedanticRegistry()
	h := w.host(cfg)
	flag := t.TempDir() + "/go"
	w.Submit("job", spec.Stage{Argv: sh("until [ -e " + flag + " ]; do sleep 0.01; done")})
	id := h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	w.Append(&subjects.Lost{Host: "alpha", Term: h.term})
	_, term := next[*subjects.Joined](w, nil)
	write(t, flag, "")
	if e, _ := next[*subjects.Finished](w, nil); e.Attempt != id || e.Term != term {
		t.Errorf("Finished = %+v, want attempt %d in term %d", e, id, term)
	}
}

func TestShimKilled(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh("sleep 61.7 & sleep 61.7")})
	id := h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	killPID(t, h.slots.All()[0].Client().PID())
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != id || e.Reason != subjects.ReasonVanished {
		t.Errorf("Evicted = %+v, want attempt %d as vanished", e, id)
	}
	if pids, err := h.slots.All()[0].Group.Pids(); err != nil || len(pids) != 0 {
		t.Errorf("processes left = %v (%v), want none", pids, err)
	}
	w.Submit("again", spec.Stage{Argv: []string{"/bin/true"}})
	h.assign("again", 0, 0, 0)
	next[*subjects.Finished](w, nil)
}

func TestLeavingEvictsAndSaysSo(t *testing.T) {
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh("trap '' TERM; sleep 60; sleep 60")})
	h.assign("job", 0, 0, 0)
	next[*subjects.Started](w, nil)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	next[*subjects.Evicted](w, nil)
	next[*subjects.Left](w, nil)
	if left := ls(t, "/sys/fs/cgroup/*/lull/alpha-*"); strings.Contains(left, h.cgroup()) {
		t.Errorf("cgroups left = %s, want none", left)
	}
}

func TestSecondAgentOnTheSameFolderIsRefused(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	w.host(cfg)
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "another lull agent") {
		t.Errorf("New(a folder in use) = %v, want an error that says so", err)
	}
}

// The agent that has a name stays. A second agent with another data folder ends before it joins, on
// this machine and on a clone with the same name.
func TestASecondAgentOfANameIsRefused(t *testing.T) {
	for boot, where := range map[string]string{"": "on this machine", "another boot": "on another machine"} {
		t.Run(where, func(t *testing.T) {
			w := newWorld(t)
			first := w.host(w.config("alpha"))
			second, err := New(w.config("alpha"))
			check(t, err)
			if boot != "" {
				second.name = vacancy.New(w.Bus, vacancy.Config{Host: "alpha", Boot: boot, Logger: second.cfg.Logger})
				second.bus, err = snapshots.Open(second.name, t.TempDir())
				check(t, err)
			}
			err = second.Run(t.Context())
			if !errors.Is(err, vacancy.ErrTaken) || !strings.Contains(err.Error(), where) || !strings.Contains(err.Error(), "--name") {
				t.Errorf("end of the second agent = %v, want ErrTaken with the place and advice on --name", err)
			}
			w.Submit("job", spec.Stage{Argv: []string{"/bin/true"}})
			id := first.assign("job", 0, 0, 0)
			if e, _ := next[*subjects.Finished](w, nil); e.Attempt != id || e.Term != first.term {
				t.Errorf("attempt %d of term %d finished, want %d of %d", e.Attempt, e.Term, id, first.term)
			}
			check(t, first.stop())
		})
	}
}

func TestFullDiskRefusesAndSaysSo(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.MinFree = 1 << 60
	beats, err := w.Bus.Listen(t.Context(), w.Bus.Pool().Beat("alpha"))
	if err != nil {
		t.Fatal(err)
	}
	h := w.host(cfg)
	deadline := time.After(patience)
	for full := false; !full; {
		select {
		case d := <-beats:
			b, err := subjects.DecodeTelemetry(w.Bus.Pool(), d.Subject, d.Body)
			if err != nil {
				t.Fatal(err)
			}
			full = b.(*subjects.Beat).Full
		case <-deadline:
			t.Fatal("no heartbeat in time, want one that says the disk is full")
		}
	}
	w.Submit("job", spec.Stage{Argv: []string{"/bin/true"}})
	h.assign("job", 0, 0, 0)
	if e, _ := next[*subjects.Declined](w, nil); e.Reason != subjects.ReasonDisk {
		t.Errorf("Declined = %+v, want it for the disk", e)
	}
}

// Such attempts were declined, and so given away again for ever.
func TestAListThatWillNeverBeRightFailsItsTasks(t *testing.T) {
	w := newWorld(t)
	empty, err := subjects.Marshal(&spec.Chunk{})
	if err != nil {
		t.Fatal(err)
	}
	w.Objects = map[string][]byte{spec.ChunkName("short", 0): empty, spec.ChunkName("garbage", 0): []byte("\xc1 garbage")}
	h := w.host(w.config("alpha"))
	negative, err := subjects.Marshal(&spec.Chunk{Splits: []spec.Split{{Ranges: []spec.Range{{Path: "/etc/passwd", Length: -1}}}}})
	if err != nil {
		t.Fatal(err)
	}
	w.Objects[spec.ChunkName("negative", 0)] = negative
	for _, list := range []string{"missing", "short", "garbage", "negative"} {
		w.Submit(list, spec.Stage{Argv: sh("true"), List: list})
		h.assign(list, 0, 0, 0)
		e, _ := next(w, func(e *subjects.Failed) bool { return e.Job == list })
		if e.Reason != subjects.ReasonInput || !strings.Contains(e.Text, list) {
			t.Errorf("%s: %+v, want it failed for its input", list, e)
		}
	}
}

// writeEndless writes a file of a terabyte to an output, with more pieces of data than a manifest lists: it is
// hashed byte by byte, its holes, too.
const writeEndless = `perl -e 'open F, ">", "$ENV{LULL_OUT}/x"; for (0..1100) { sysseek F, $_ << 29, 0; syswrite F, "x" } truncate F, 1 << 40'`

// Hashing an output can take long.
// The commit ends when the attempt is no longer wanted, and when the agent stops.
func TestACommitThatIsNotWantedEnds(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.FileSize = -1
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh(writeEndless), Tasks: 2})
	first, second := h.assign("job", 0, 0, 0), h.assign("job", 0, 1, 1)
	for _, id := range []uint64{first, second} {
		eventually(t, "the task has written", func() bool {
			f, _, ok := h.attempts.Running(id)
			if !ok {
				return false
			}
			info, err := os.Stat(f.Out() + "/x")
			return err == nil && info.Size() == 1<<40
		})
	}
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: first})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != first || e.Reason != subjects.ReasonRevoked {
		t.Errorf("Evicted = %+v, want attempt %d revoked", e, first)
	}
	check(t, h.stop())
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != second || e.Reason != subjects.ReasonPaused {
		t.Errorf("Evicted = %+v, want attempt %d ended with the agent", e, second)
	}
}

// An agent that cannot begin leaves no cgroups.
func TestAnAgentThatCannotBeginLeavesNothing(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("beginless")
	cfg.Listen = "256.0.0.1:0"
	if _, err := New(cfg); err == nil {
		t.Fatal("New(an address that is none) = nil error, want an error")
	}
	if left, err := filepath.Glob("/sys/fs/cgroup/*/" + cgroup.Parent + "/beginless-*"); err != nil || len(left) > 0 {
		t.Errorf("left = %q, %v, want nothing", left, err)
	}
}
