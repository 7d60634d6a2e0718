package hostctl

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"lull/hostctl/contain"
	"lull/subjects"
	"lull/subjects/spec"
)

// open is a data folder that other users may enter, as /var/lib is.
func open(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to run tasks as another user")
	}
	dir, err := os.MkdirTemp("", "lull-open-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func owner(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

// Under an agent that is root, tasks run as a user of their slot. The agent owns what they commit, serves it to
// other hosts, and has it published by nobody.
func TestTasksOfARootAgentRunAsTheirSlotsUser(t *testing.T) {
	w := newWorld(t)
	w.Outputs = w.answer
	cfg := w.config("alpha")
	cfg.Data = filepath.Join(open(t), "d")
	h := w.host(cfg)
	results := filepath.Join(open(t), "results")
	check(t, os.Chmod(filepath.Dir(results), 0o777))
	w.SubmitTo("job", results,
		spec.Stage{Name: "make", Argv: sh(`
			id -u > $LULL_OUT/id; echo x > $TMPDIR/x; echo x > $HOME/y; mkdir $LULL_OUT/d; mv $TMPDIR/x $LULL_OUT/d/x
			echo x > $LULL_OUT/../evil; mkdir $LULL_CHECKPOINT/../evil; exit 0`)},
		spec.Stage{Name: "use", From: []spec.From{{Stage: 0}}, Argv: sh(`
			cat $LULL_INPUT/make/00000/id > $LULL_OUT/id; cat > $LULL_OUT/all
			chmod u+w $LULL_INPUT/make/00000/id && echo chmod > $LULL_OUT/evil; exit 0`)},
		spec.Stage{Name: "publish", Publish: true, From: []spec.From{{Stage: 1}}})
	var makes uint64
	for stage := range uint32(3) {
		id := h.assign("job", stage, 0, 0)
		next[*subjects.Finished](w, nil)
		if stage == 0 {
			makes = id
		}
	}
	uid := strconv.Itoa(int(h.policy.UserOf(0).UID))
	if got := read(t, results+"/use/00000/id"); got != uid+"\n" {
		t.Errorf("user of the first task = %q, want %s", got, uid)
	}
	if got := read(t, results+"/use/00000/all"); got != "x\n"+uid+"\n" {
		t.Errorf("the second task read %q, want x and %s", got, uid)
	}
	if got := owner(t, results+"/use/00000/all"); got != 65534 {
		t.Errorf("owner of what was published = %d, want 65534", got)
	}
	f, ok := h.store.Find(makes)
	if !ok || owner(t, f.Out()+"/id") != os.Geteuid() {
		t.Errorf("owner of what was committed = %d, want %d", owner(t, f.Out()+"/id"), os.Geteuid())
	}
	if err := h.stop(); err != nil { // or it tidies up while we look
		t.Fatal(err)
	}
	for _, path := range tree(t, h.store.Root()) {
		if strings.HasSuffix(path, "/evil") {
			t.Errorf("a task made %s, want it refused", path)
		}
	}
}

// Results that only the agent may read are still published by the tasks' user. Where that
// user may not write, the failure names the folder, the user and the commands that deliver.
func TestResultsArePublishedByTheTasksUser(t *testing.T) {
	w := newWorld(t)
	w.Outputs = w.answer
	cfg := w.config("alpha")
	cfg.Data = filepath.Join(open(t), "d")
	h := w.host(cfg)
	results := open(t)
	finish := func(job string) {
		w.SubmitTo(job, results+"/results",
			spec.Stage{Name: "make", Argv: sh(`umask 077; echo secret > $LULL_OUT/x; mkdir $LULL_OUT/d; echo y > $LULL_OUT/d/y; ln -s /etc/passwd $TMPDIR/l`)},
			spec.Stage{Name: "publish", Publish: true, From: []spec.From{{Stage: 0}}})
		h.assign(job, 0, 0, 0)
		next[*subjects.Finished](w, nil)
		h.assign(job, 1, 0, 0)
	}
	finish("denied")
	e, _ := next[*subjects.Failed](w, nil)
	for _, want := range []string{results, "nobody", "lull outputs denied --to", "lull run"} {
		if e.Reason != subjects.ReasonOutput || !strings.Contains(e.Text, want) {
			t.Errorf("reason %s: %q, want it to name %s", e.Reason, e.Text, want)
		}
	}
	check(t, os.Chown(results, 65534, 65534))
	finish("allowed")
	next[*subjects.Finished](w, nil)
	if got := read(t, results+"/results/make/00000/x") + read(t, results+"/results/make/00000/d/y"); got != "secret\ny\n" {
		t.Errorf("published = %q, want secret and y", got)
	}
}

// A host that is to publish a job's results looks whether it can before it runs a task of the job.
func TestAHostThatCannotPublishDeclinesTheFirstTask(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Data = filepath.Join(open(t), "d")
	h := w.host(cfg)
	results := open(t)
	probe := func(job, output string) {
		w.SubmitTo(job, output, spec.Stage{Name: "make", Argv: sh(`true`)})
		w.Append(&subjects.Assigned{Host: "alpha", Job: job, Term: h.term, Try: 1, Width: 1, Probe: true})
	}
	probe("denied", results+"/a/b")
	e, _ := next[*subjects.Declined](w, nil)
	for _, want := range []string{results + "/a/b", "because of " + results + " (permission denied)", "nobody", "lull outputs denied --to", "lull run"} {
		if e.Reason != subjects.ReasonUnwritable || !strings.Contains(e.Text, want) {
			t.Errorf("reason %s: %q, want it to name %s", e.Reason, e.Text, want)
		}
	}
	check(t, os.WriteFile(results+"/file", nil, 0o600))
	probe("blocked", results+"/file/b")
	if e, _ := next[*subjects.Declined](w, nil); e.Reason != subjects.ReasonUnwritable || !strings.Contains(e.Text, results+"/file is no folder: move it away") {
		t.Errorf("a file in the way: reason %s: %q, want unwritable with advice", e.Reason, e.Text)
	}
	// What stands in a folder that is closed to the tasks' user the submitter does not learn.
	private := filepath.Join(results, "private")
	check(t, os.MkdirAll(private+"/folder", 0o700))
	check(t, os.WriteFile(private+"/file", nil, 0o600))
	for job, name := range map[string]string{"hidden-file": "file/b", "hidden-folder": "folder/b", "hidden-none": "none/b"} {
		probe(job, private+"/"+name)
		if e, _ := next[*subjects.Declined](w, nil); !strings.Contains(e.Text, "because of "+private+" (permission denied)") {
			t.Errorf("%s: reason %s: %q, want the folder that refuses, %s", job, e.Reason, e.Text, private)
		}
	}
	check(t, os.Chown(results, 65534, 65534))
	probe("allowed", results+"/a/b")
	next[*subjects.Finished](w, nil)
}

// An attempt gets the checkpoint that the attempt before it left, whichever user either ran as.
func TestCheckpointIsHandedOver(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.Data = filepath.Join(open(t), "d")
	first := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh(`cd $LULL_CHECKPOINT; if [ -e c ]; then id -u >> c; cp c $LULL_OUT; else id -u > c; exec sleep 60; fi`)})
	id := first.assign("job", 0, 0, 0)
	eventually(t, "the task leaves a checkpoint", func() bool {
		f, _, ok := first.attempts.Running(id)
		return ok && ls(t, f.Checkpoint()+"/c") != "" && !strings.HasSuffix(ls(t, f.Checkpoint()+"/c"), " 0\n")
	})
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: id})
	next[*subjects.Evicted](w, nil)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	cfg.TaskUser = "64998"
	second := w.host(cfg)
	again := second.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	f, _ := second.store.Find(again)
	if got, uid := read(t, f.Out()+"/c"), strconv.Itoa(int(first.policy.UserOf(0).UID)); got != uid+"\n64998\n" {
		t.Errorf("checkpoint = %q, want %s and 64998", got, uid)
	}
}

func TestTaskUserThatCannotWorkIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to run tasks as another user")
	}
	w := newWorld(t)
	cfg := w.config("alpha") // in a folder of ours alone
	cfg.TaskUser = "nobody"
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "chmod o+x") {
		t.Errorf("New() = %v, want an error that advises chmod o+x", err)
	}
	cfg.TaskUser = ""
	h := w.host(cfg)
	if !h.policy.User.IsAgent() || h.policy.Why == "" {
		t.Errorf("tasks run as %v, %q, want the agent's user with a reason", h.policy.User, h.policy.Why)
	}
}

func TestContainmentCanBeLowered(t *testing.T) {
	w := newWorld(t)
	dir := open(t)
	cfg := w.config("alpha")
	cfg.Data, cfg.Contain = filepath.Join(dir, "d"), string(contain.Off)
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh("id -u > " + dir + "/id; grep NoNewPrivs /proc/self/status >> " + dir + "/id")})
	h.assign("job", 0, 0, 0)
	next[*subjects.Finished](w, nil)
	if got := read(t, dir+"/id"); got != "0\nNoNewPrivs:\t0\n" {
		t.Errorf("id and privileges of the task = %q, want 0 and NoNewPrivs: 0", got)
	}
}

// A task that was kept from writing somewhere does not leave its user to find out by what.
func TestAFailureByTheFenceIsNamed(t *testing.T) {
	if contain.ABI() == 0 {
		t.Skip("needs Landlock")
	}
	w := newWorld(t)
	h := w.host(w.config("alpha"))
	w.Submit("job", spec.Stage{Argv: sh(`echo x > /tmp/lull-refused`)})
	h.assign("job", 0, 0, 0)
	e, _ := next[*subjects.Failed](w, nil)
	if want := "tasks may not write to /tmp: TMPDIR names a folder of the task's own"; e.Text != want || !strings.Contains(e.Words(), want) {
		t.Errorf("Failed = %q (%q), want text %q", e.Text, e.Tail, want)
	}
}
