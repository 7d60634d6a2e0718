package adhoc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestPlaceholdersAreGNUParallels(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // of the value dir.d/song one.wav, the third task
	}{
		{[]string{"ffmpeg", "-i", "{}", "{.}.mp3"}, `ffmpeg -i 'dir.d/song one.wav' 'dir.d/song one.mp3'`},
		{[]string{"echo", "{/}", "{//}", "{/.}", "{#}"}, `echo 'song one.wav' dir.d 'song one' 3`},
		{[]string{"wc", "-l"}, `wc -l 'dir.d/song one.wav'`},
		{[]string{"gzip -k {} && echo {/.} is done"}, `gzip -k 'dir.d/song one.wav' && echo 'song one' is done`},
		{[]string{"wc -l <"}, `wc -l < 'dir.d/song one.wav'`},
		{[]string{"it's", "{}"}, `'it'\''s' 'dir.d/song one.wav'`},
	} {
		l := Line{Args: c.args, Each: []string{"", "", "dir.d/song one.wav"}}
		if got := l.Command(2); got != c.want {
			t.Errorf("Command(2) of %q = %s, want %s", c.args, got, c.want)
		}
	}
}

func TestADotOfAFolderOrAHiddenFileIsNoExtension(t *testing.T) {
	for name, want := range map[string]string{"a.d/b": "a.d/b", ".profile": ".profile", "a/.b": "a/.b", "a.b.c": "a.b", "": ""} {
		if got := withoutExtension(name); got != want {
			t.Errorf("withoutExtension(%q) = %q, want %q", name, got, want)
		}
	}
}

// Whatever a value holds, the shell hands it on as it is, and nothing of it is run.
func TestAValueReachesTheCommandAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringOf(rapid.RuneFrom([]rune("ab '\"\\$`!*?;&|<>(){}~#-=%\té"))).Draw(t, "value")
		l := Line{Args: []string{"printf", "%s", "{}"}, Each: []string{value}}
		cmd := exec.Command("/bin/sh", "-c", l.Document().Stages[0].Command[2])
		cmd.Env = []string{"LULL_PARAM=" + l.param(0), "PATH=/usr/bin:/bin"}
		got, err := cmd.Output()
		if err != nil || string(got) != value {
			t.Fatalf("output of the command = %q, %v, want %q", got, err, value)
		}
	})
}

func TestATaskEndsAsItsCommand(t *testing.T) {
	for _, args := range [][]string{{"sh", "-c", "exit 3"}, {"true; exit 3"}} {
		for _, l := range []Line{{Args: args, Tasks: 1}, {Args: args, Tasks: 2}, {Args: args, Each: []string{"x"}}} {
			cmd := exec.Command("/bin/sh", "-c", l.script())
			cmd.Env = []string{"LULL_TASK=0", "PATH=/usr/bin:/bin"}
			if l.Each != nil {
				cmd.Env = append(cmd.Env, "LULL_PARAM="+l.param(0))
			}
			if _ = cmd.Run(); cmd.ProcessState.ExitCode() != 3 {
				t.Errorf("exit status of %q = %d, want 3", l.script(), cmd.ProcessState.ExitCode())
			}
		}
	}
}

func TestResultsKeepTheirOrderIfAsked(t *testing.T) {
	for want, order := range map[string]*Order{"0123": newOrder(t), "2031": nil} {
		var out bytes.Buffer
		r := Results{Out: &out, Err: &out, Order: order, Line: Line{Tasks: 5}}
		for _, task := range []int{2, 0, 3, 1} {
			r.Add(Result{Task: task, Stdout: bytes.NewReader([]byte{'0' + byte(task)})})
		}
		if err := r.Close(); err != nil || out.String() != want {
			t.Errorf("output = %s, Close() = %v, want %s", &out, err, want)
		}
	}
}

func TestWhatWaitsForTasksThatNeverEndIsShownAtLast(t *testing.T) {
	var out, aside bytes.Buffer
	r := Results{Out: &out, Err: &aside, Order: newOrder(t), Line: Line{Tasks: 5}}
	r.Add(Result{Task: 3, Stdout: bytes.NewReader([]byte("3")), Stderr: bytes.NewReader([]byte("x"))})
	r.Add(Result{Task: 1, Stdout: bytes.NewReader([]byte("1")), Stderr: bytes.NewReader([]byte("y"))})
	if err := r.Close(); err != nil || out.String() != "13" || aside.String() != "yx" {
		t.Errorf("output = %s, stderr = %s, Close() = %v, want 13, yx", &out, &aside, err)
	}
}

func TestNothingIsLostIfItCannotBeHeld(t *testing.T) {
	var out bytes.Buffer
	full := newOrder(t)
	if err := full.file.Close(); err != nil { // as on a full disk, no write succeeds
		t.Fatal(err)
	}
	r := Results{Out: &out, Err: &out, Order: full, Line: Line{Tasks: 3}}
	for _, task := range []int{2, 0, 1} {
		r.Add(Result{Task: task, Stdout: bytes.NewReader([]byte{'0' + byte(task)})})
	}
	if out.String() != "201" {
		t.Errorf("output = %s, want 201", &out)
	}
	if err := r.Close(); err == nil || !strings.Contains(err.Error(), "--keep-order: task 3 is shown out of order") {
		t.Errorf("Close() = %v, want an error that task 3 is shown out of order", err)
	}
}

func newOrder(t *testing.T) *Order {
	t.Helper()
	o, err := NewOrder()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestHaltCountsFailures(t *testing.T) {
	for text, after := range map[string]int{"never": 0, "now,fail=1": 1, "now,fail=3": 3, "now,fail=50%": 5} {
		h, err := ParseHalt(text)
		if err != nil {
			t.Fatal(err)
		}
		reached := 0
		for failed := 1; failed <= 10 && reached == 0; failed++ {
			if h.Reached(failed, 10) {
				reached = failed
			}
		}
		if reached != after {
			t.Errorf("--halt %s is reached after %d failures of 10, want %d", text, reached, after)
		}
	}
	for _, text := range []string{"soon,fail=1", "now", "now,fail=0", "now,fail=x", "now,fail=0%", "now,fail=101%", "now,done=1"} {
		if _, err := ParseHalt(text); err == nil {
			t.Errorf("ParseHalt(%q) = nil error, want an error", text)
		}
	}
}

func TestTheJobLogHasGNUParallelsColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := NewJobLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Add(Result{Task: 1, Host: "a", Start: time.Unix(10, 5e8), Seconds: 1.25, Exit: 137, received: 3}, 1, "false"); err != nil {
		t.Fatal(err)
	}
	want := "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n2\ta\t10.500\t     1.250\t0\t3\t0\t9\tfalse\n"
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("job log = %q, %v, want %q", got, err, want)
	}
}

func TestAJobIsCalledAsItsCommand(t *testing.T) {
	for arg, want := range map[string]string{"/usr/bin/ffmpeg": "ffmpeg", "./Run_it.sh": "run_it-sh", "gzip -k {}": "gzip", "..": "run", strings.Repeat("x", 99): strings.Repeat("x", 30)} {
		doc := Line{Args: []string{arg}, Tasks: 1}.Document()
		if doc.Name != want {
			t.Errorf("name of a job of %s = %s, want %s", arg, doc.Name, want)
		}
		if _, err := doc.Job(); err != nil {
			t.Errorf("Job() of %s = %v, want no error", arg, err)
		}
	}
}

// A document is JSON, which would carry U+FFFD in place of such bytes: the command would work on another file. Values
// have a list beside the document.
func TestACommandIsRefusedThatIsNotText(t *testing.T) {
	for _, l := range []Line{
		{Args: []string{"rm", "caf\xe9"}, Tasks: 1},
		{Args: []string{"rm"}, Tasks: 1, Env: map[string]string{"NAME": "caf\xe9"}},
	} {
		if err := l.Fits(); err == nil || !strings.Contains(err.Error(), `caf\xe9`) {
			t.Errorf("Fits() of %+v = %v, want an error that quotes caf\\xe9", l, err)
		}
	}
	if err := (Line{Args: []string{"rm"}, Each: []string{"caf\xe9"}}).Fits(); err != nil {
		t.Errorf("Fits() of a value that is not text = %v, want no error", err)
	}
}

func TestAValueIsRefusedThatWouldNotFitItsTask(t *testing.T) {
	if err := (Line{Args: []string{"echo"}, Each: []string{"a", strings.Repeat("x", 10_000)}}).Fits(); err != nil {
		t.Errorf("Fits() of a value of 10,000 bytes = %v, want no error", err)
	}
	err := Line{Args: []string{"echo"}, Each: []string{"a", strings.Repeat("x", 20_000)}}.Fits()
	if err == nil || !strings.Contains(err.Error(), "value 2, of 20000 bytes") {
		t.Errorf("Fits() of a value of 20,000 bytes = %v, want an error that names value 2 and its size", err)
	}
}

// ssh and xargs exit with 255, which is no signal, and a value with a line end makes no line.
func TestTheJobLogTellsStatusesFromSignals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := NewJobLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	for task, exit := range []int{3, 137, 200, 255} {
		if err := log.Add(Result{Task: task, Exit: exit}, task, "echo 'a\n9\tforged\t'"); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:] {
		fields := strings.Split(line, "\t")
		got = append(got, strings.Join(fields[6:8], " "))
	}
	if want := "3 0, 0 9, 200 0, 255 0"; strings.Join(got, ", ") != want {
		t.Errorf("statuses and signals = %v, want %s", got, want)
	}
}

func TestCommandsThatFailedAreNamed(t *testing.T) {
	r := Results{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Line: Line{Each: []string{"a b", "c", "d", "e"}}}
	for task, exit := range map[int]int{2: 1, 0: 137, 1: 0} {
		r.Add(Result{Task: task, Exit: exit})
	}
	if got := r.Stopped() + ": " + r.Failures(); got != "1 done, 2 failed, 1 not done: 'a b', d" {
		t.Errorf("what was stopped = %s", got)
	}
	many := Results{Line: Line{Tasks: 20}}
	for task := range 12 {
		many.Add(Result{Task: task, Exit: 1})
	}
	if got := many.Failures(); got != "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 2 more" {
		t.Errorf("Failures() = %s", got)
	}
}
