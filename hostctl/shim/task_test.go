package shim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// shell is a task that runs a script and keeps its output in the slot's folder.
func shell(cfg Config, attempt uint64, script string) Task {
	return Task{
		Attempt: attempt, Argv: []string{"sh", "-c", script}, Dir: cfg.Dir,
		Env: []string{"PATH=/usr/bin:/bin"}, Stdout: filepath.Join(cfg.Dir, "stdout"), Stderr: filepath.Join(cfg.Dir, "stderr"),
		Bounds: Bounds{Write: []string{cfg.Dir}},
	}
}

func read(t testing.TB, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

func TestRunsTask(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	task := shell(cfg, 7, `echo "$A in $PWD"; echo bad >&2; exit 3`)
	task.Env, task.Dir = append(task.Env, "A=b"), "/usr"
	e := run(t, c, task)
	if e.Status != 3 || e.Reason != subjects.ReasonExit || e.Attempt != 7 || e.Out != 14 || e.Seconds <= 0 || e.CPU <= 0 {
		t.Errorf("end = %+v, want status 3 of attempt 7 and 14 bytes of output", e)
	}
	if out, bad := read(t, cfg.Dir, "stdout"), read(t, cfg.Dir, "stderr"); out != "b in /usr\n" || bad != "bad\n" {
		t.Errorf("stdout, stderr = %q, %q, want b in /usr, bad", out, bad)
	}
}

func TestAFolderMayHaveALongName(t *testing.T) {
	cfg := testConfig(t)
	cfg.Dir = filepath.Join(cfg.Dir, strings.Repeat("long", 30), "ein Ordner", "データ")
	c := launch(t, cfg)
	if e := run(t, c, shell(cfg, 1, `echo here`)); e.Status != 0 {
		t.Errorf("end = %+v, want status 0", e)
	}
	if out := read(t, cfg.Dir, "stdout"); out != "here\n" {
		t.Errorf("stdout = %q, want here", out)
	}
}

func TestTaskInheritsNothing(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `env | grep -v -e ^PWD= -e ^PATH= -e ^_= -e ^SHLVL=; ls /proc/self/fd; umask; ulimit -c; grep NoNewPrivs /proc/self/status`))
	// ls itself opens 3, the folder that it lists.
	if got, want := read(t, cfg.Dir, "stdout"), "0\n1\n2\n3\n0022\n0\nNoNewPrivs:\t1\n"; got != want {
		t.Errorf("a task has %q, want %q", got, want)
	}
}

func TestSilentTaskMakesNoFile(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `true`))
	if _, err := os.Stat(filepath.Join(cfg.Dir, "stdout")); !os.IsNotExist(err) {
		t.Errorf("stdout of a silent task: %v, want no file", err)
	}
}

func TestStartFails(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	plain := filepath.Join(cfg.Dir, "plain")
	if err := os.WriteFile(plain, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, fail := range []struct {
		task         Task
		reason, text string
	}{
		{Task{Argv: []string{"no-such-command"}}, subjects.ReasonNotFound, `"no-such-command"`},
		{Task{Argv: []string{"/no/such/command"}}, subjects.ReasonNotFound, `"/no/such/command"`},
		{Task{Argv: []string{plain}}, subjects.ReasonNotFound, "may not be executed"},
		{Task{Argv: []string{"/usr"}}, subjects.ReasonNotFound, "may not be executed"},
		{Task{}, subjects.ReasonNotFound, "empty"},
		{Task{Argv: []string{"true"}, Dir: "/no/folder"}, subjects.ReasonNotFound, "/no/folder"},
		{Task{Argv: []string{"true"}, Stdin: Stdin{File: "/no/input"}}, subjects.ReasonInput, "/no/input"},
		{Task{Argv: []string{"true"}, Stdin: Stdin{Ranges: []spec.Range{{Path: plain, Size: 3, Length: 3}}}}, subjects.ReasonInput, "it had 3"},
		{Task{Argv: []string{"true", "a\x00b"}}, subjects.ReasonExit, "true"},
	} {
		fail.task.Attempt = uint64(i + 1)
		if err := c.Start(fail.task); err != nil {
			t.Fatal(err)
		}
		e := next[*StartFailed](t, c)
		if e.Attempt != uint64(i+1) || e.Reason != fail.reason || !strings.Contains(e.Text, fail.text) {
			t.Errorf("StartFailed = %+v, want reason %s and %q", e, fail.reason, fail.text)
		}
	}
	if e := run(t, c, Task{Attempt: 99, Argv: []string{"true"}}); e.Status != 0 {
		t.Errorf("end after failures = %+v, want status 0", e)
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	for attempt := range uint64(2) {
		if err := c.Start(shell(cfg, attempt+1, `sleep 1000`)); err != nil {
			t.Fatal(err)
		}
	}
	if e := next[*StartFailed](t, c); e.Attempt != 2 || e.Reason != subjects.ReasonSlot {
		t.Errorf("StartFailed = %+v, want attempt 2 for the slot", e)
	}
}

func TestStdin(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	path := filepath.Join(cfg.Dir, "input")
	text := strings.Repeat("one\ntwo\nthree\n", 20000)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	size := int64(len(text))
	cut := func(offset, length int64) spec.Range {
		return spec.Range{Path: path, Size: size, Offset: offset, Length: length}
	}
	for i, in := range []struct {
		name   string
		stdin  Stdin
		script string
		want   string
		bytes  int64
	}{
		{"none", Stdin{}, `wc -c`, "0\n", 0},
		{"file", Stdin{File: path}, `wc -c`, "280000\n", size},
		{"whole range is the file itself", Stdin{Ranges: []spec.Range{cut(0, size)}}, `test -f /dev/stdin && wc -c`, "280000\n", size},
		{"ranges", Stdin{Ranges: []spec.Range{cut(0, 100000), cut(100000, size-100000)}}, `wc -c`, "280000\n", size},
		{"one line", Stdin{Ranges: []spec.Range{cut(1, 4)}}, `cat`, "two\n", 4},
	} {
		task := shell(cfg, uint64(i+1), in.script)
		task.Stdin = in.stdin
		e := run(t, c, task)
		if got := read(t, cfg.Dir, "stdout"); got != in.want || e.In != in.bytes || e.Status != 0 {
			t.Errorf("%s: got %q and %+v, want %q and %d bytes in", in.name, got, e, in.want, in.bytes)
		}
	}
}

func TestTaskThatReadsNoFurther(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	path := filepath.Join(cfg.Dir, "input")
	text := strings.Repeat("line\n", 1<<18)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	task := shell(cfg, 1, `head -n 1`)
	size := int64(len(text))
	task.Stdin.Ranges = []spec.Range{{Path: path, Size: size, Length: size / 2}, {Path: path, Size: size, Offset: size / 2, Length: size / 2}}
	if e := run(t, c, task); e.Status != 0 || e.In >= size {
		t.Errorf("end = %+v, want status 0 and less than %d bytes in", e, size)
	}
}
