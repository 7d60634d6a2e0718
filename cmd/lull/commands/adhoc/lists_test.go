package adhoc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestListsMakeTheirProduct(t *testing.T) {
	for text, want := range map[string]string{
		"echo":                            "",
		"echo :::":                        "",
		"echo ::: a b":                    "a; b",
		"echo ::: a b ::: 1 2":            "a 1; a 2; b 1; b 2",
		"echo ::: a b :::+ 1 2 3":         "a 1; b 2",
		"echo ::: x y ::: a b :::+ 1 2":   "x a 1; x b 2; y a 1; y b 2",
		"echo ::: a b :::+ 1 2 ::: x y z": "a 1 x; a 1 y; a 1 z; b 2 x; b 2 y; b 2 z",
		"echo ::: a b :::":                "",
	} {
		command, rows, err := Lists(strings.Fields(text))
		var l Line
		l.SetRows(rows)
		if err != nil || !slices.Equal(command, []string{"echo"}) || strings.Join(l.Each, "; ") != want {
			t.Errorf("Lists(%s) = %q, %q, %v, want echo, %s", text, command, l.Each, err, want)
		}
		if (rows != nil) != strings.Contains(text, product) {
			t.Errorf("Lists(%s) = %v rows: nil is for a line without lists alone", text, rows)
		}
	}
	if _, _, err := Lists([]string{"echo", ":::+", "a"}); err == nil {
		t.Error("Lists(echo :::+ a) = nil error, want one: there is no list before")
	}
	many := slices.Repeat([]string{"x"}, 2000)
	if _, _, err := Lists(slices.Concat([]string{"echo", ":::"}, many, []string{":::"}, many, []string{":::"}, many)); err == nil {
		t.Error("Lists() of 8,000,000,000 tasks = nil error, want one")
	}
}

func TestValuesOfListsHavePlaceholders(t *testing.T) {
	row := []string{"d.x/a b.c", "2"}
	for _, c := range []struct {
		mark string
		args []string
		want string
	}{
		{"", []string{"echo", "{2}", "{1.}", "{1/}", "{1//}", "{1/.}", "{#}"}, `echo 2 'd.x/a b' 'a b.c' d.x 'a b' 1`},
		{"", []string{"echo"}, `echo 'd.x/a b.c' 2`},
		{"", []string{"echo", "{}"}, `echo 'd.x/a b.c' 2`},
		{"", []string{"echo {2} <{1}"}, `echo 2 <'d.x/a b.c'`},
		{"@", []string{"echo", "@", "{}"}, `echo 'd.x/a b.c' 2 '{}'`},
	} {
		l := Line{Args: c.args, Mark: c.mark}
		l.SetRows([][]string{row})
		if got := l.Command(0); got != c.want {
			t.Errorf("Command(0) of %q = %s, want %s", c.args, got, c.want)
		}
	}
}

func TestARunGoesOnWhereAJobLogEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	whole := Line{Args: []string{"echo"}, Each: []string{"a", "b", "c\nd", "e"}}
	if l := whole; l.Resume(path, false) != nil || l.Pick != nil {
		t.Error("Resume() without a log picks some tasks, want all")
	}
	log, err := NewJobLog(path, true)
	if err != nil {
		t.Fatal(err)
	}
	for number, exit := range map[int]int{0: 0, 2: 1} {
		if err := log.Add(Result{Exit: exit}, number, whole.Command(number)); err != nil {
			t.Fatal(err)
		}
	}
	for failed, want := range map[bool][]int{false: {1, 3}, true: {1, 2, 3}} {
		l := whole
		if err := l.Resume(path, failed); err != nil || !slices.Equal(l.Pick, want) || l.Total() != len(want) {
			t.Errorf("Resume(%v) picks %v, %v, want %v", failed, l.Pick, err, want)
		}
		if got := l.Document().Stages[0].Each.Lines[0]; got != "LULL_PARAM=b; LULL_TASK=1; echo b" {
			t.Errorf("the first task runs %q, want the command of b, with its number", got)
		}
	}
	if err := os.WriteFile(path, []byte(jobLogHead+"\n2\thost\t0\t0\t0\t0\t0\t0\techo b\n4\tho"), 0o600); err != nil { // as a kill leaves it
		t.Fatal(err)
	}
	if l := whole; l.Resume(path, false) != nil || !slices.Equal(l.Pick, []int{0, 2, 3}) {
		t.Errorf("Resume() behind a part of a line picks %v, want the command of that line, too", l.Pick)
	}
	if log, err = NewJobLog(path, true); err != nil {
		t.Fatal(err)
	}
	if err := log.Add(Result{}, 3, whole.Command(3)); err != nil {
		t.Fatal(err)
	}
	if l := whole; l.Resume(path, false) != nil || !slices.Equal(l.Pick, []int{0, 2}) {
		t.Errorf("Resume() picks %v once that command has ended, want the two others", l.Pick)
	}
	other := Line{Args: []string{"rm"}, Each: whole.Each}
	if err := other.Resume(path, false); err == nil || !strings.Contains(err.Error(), "ran") {
		t.Errorf("Resume() of another command = %v, want an error that names both", err)
	}
	if err := os.WriteFile(path, []byte("Seq\nnothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := whole.Resume(path, false); err == nil || !strings.Contains(err.Error(), "line 1 is not of a job log") {
		t.Errorf("Resume() of another file = %v, want an error that says so", err)
	}
}

func TestLinesAreTaggedHoweverTheyAreWritten(t *testing.T) {
	var out bytes.Buffer
	w := &tagged{to: &out, tag: []byte("v\t")}
	for _, text := range []string{"a", "b\nc\n", "\n", "d"} {
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("Write(%q) = %d, %v", text, n, err)
		}
	}
	if want := "v\tab\nv\tc\nv\t\nv\td"; out.String() != want {
		t.Errorf("tagged = %q, want %q", &out, want)
	}
}

func TestEachTaskHasAFolderOfItsResults(t *testing.T) {
	dir := t.TempDir()
	l := Line{Args: []string{"echo"}}
	l.SetRows([][]string{{"a/b", `c\`}, {"..", ""}, {"x", "y"}, {"x", "y"}, {strings.Repeat("z", 256), "é"}})
	f, err := NewFolder(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range []string{`1/a\_b/2/c\\`, `1/\2/2/\2`, `1/x/2/y`, `1/x/2/\4`, `1/\5/2/é`} {
		if got := f.of(number); got != filepath.Join(dir, want) {
			t.Errorf("folder of task %d = %s, want %s", number+1, got, want)
		}
	}
	var shown bytes.Buffer
	r := Results{Out: &shown, Err: &shown, Folder: f, Tag: true, Line: l}
	r.Add(Result{Task: 2, Exit: 3, Stdout: bytes.NewReader([]byte("one\n"))})
	if err := r.Close(); err != nil || shown.String() != "x y\tone\n" {
		t.Errorf("shown = %q, %v, want the tagged line", &shown, err)
	}
	for name, want := range map[string]string{"stdout": "one\n", "stderr": "", "seq": "3\n", "exitval": "3\n"} {
		if got, err := os.ReadFile(filepath.Join(f.of(2), name)); err != nil || string(got) != want {
			t.Errorf("%s = %q, %v, want %q", name, got, err, want)
		}
	}
}
