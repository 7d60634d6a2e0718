// Package examples runs every file of examples/ through the real lull command
// and compares what comes out with what a shell pipeline says.
package examples

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lull/subjects/spec"
	"lull/test/binary"
)

var lull string // path of the command

func TestMain(m *testing.M) {
	path, remove, err := binary.Lull()
	if err != nil {
		panic(err)
	}
	lull = path
	code := m.Run()
	remove()
	os.Exit(code)
}

// packages are what the tests read of Go's source: a sixth of it, enough for
// several map tasks.
var packages = []string{"net", "runtime", "crypto", "go"}

// source makes a folder that looks like GOROOT.
func source(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range packages {
		from := filepath.Join(runtime.GOROOT(), "src", name) //nolint:staticcheck // the tree this test runs with
		must(t, os.CopyFS(filepath.Join(root, "src", name), goFiles{os.DirFS(from)}))
	}
	return root
}

// goFiles hides symbolic links, which CopyFS refuses.
type goFiles struct{ fs.FS }

func (g goFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(g.FS, name)
	keep := func(e fs.DirEntry) bool { return e.IsDir() || e.Type().IsRegular() }
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !keep(e) }), err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type ending struct {
	Job, State               string
	Tasks, Attempts, Evicted int
	Seconds                  float64
}

// run runs an example in a folder and returns the last line of its JSON.
func run(t *testing.T, dir, goroot, name string) ending {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", name+".yaml"))
	must(t, err)
	return runText(t, dir, goroot, name, string(text))
}

var deadline = regexp.MustCompile("(?m)^deadline: .*\n")

// runText runs a job file without its deadline: how busy this machine is, is another matter.
func runText(t *testing.T, dir, goroot, name, text string) ending {
	t.Helper()
	_, err := spec.Parse([]byte(text)) // with it
	must(t, err)
	file := filepath.Join(dir, "job.yaml")
	must(t, os.WriteFile(file, []byte(deadline.ReplaceAllString(text, "")), 0o644))
	cmd := exec.Command(lull, "run", "--json", file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOROOT="+goroot, "LULL_DATA="+filepath.Join(dir, "data"), "LULL_NATS=")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("lull run = %v, want no error\n%s\n%s", err, stderr.Bytes(), tail(stdout.String(), 10))
	}
	var last ending
	must(t, json.Unmarshal([]byte(tail(stdout.String(), 1)), &last))
	if last.State != "finished" || !strings.HasPrefix(last.Job, name+"-") || last.Attempts < last.Tasks || last.Seconds <= 0 {
		t.Errorf("last line of lull run = %+v, want job %s-… finished, an attempt for each task, and its seconds", last, name)
	}
	return last
}

func tail(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// shell runs a script the slow and obvious way.
func shell(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("sh -c %q = %v, want no error\n%s", script, err, exit.Stderr)
	}
	must(t, err)
	return string(out)
}

func TestWordcount(t *testing.T) {
	dir, root := t.TempDir(), source(t)
	want := shell(t, root, `find src -name '*.go' -type f -print0 | sort -z | xargs -0 cat |
		tr '[:upper:]' '[:lower:]' | tr -cs '[:alnum:]' '\n' | sort | uniq -c | awk 'NF == 2 { print $1, $2 }'`)
	last := run(t, dir, root, "wordcount")
	if last.Tasks < 3+4+1 {
		t.Errorf("tasks of wordcount = %d, want at least 8, as its input is cut", last.Tasks)
	}
	got := shell(t, dir, "sort -k2 wordcount-out/reduce/*/counts")
	if got != want {
		t.Errorf("counts = %d bytes, want %d; the first line that differs is %q", len(got), len(want), first(got, want))
	}
	if parts := shell(t, dir, "ls wordcount-out/reduce | tr '\\n' ' '"); parts != "00000 00001 00002 00003 " {
		t.Errorf("parts = %q, want 00000 to 00003", parts)
	}
}

// TestReadme runs the job that README.md shows.
func TestReadme(t *testing.T) {
	dir, root := t.TempDir(), source(t)
	readme, err := os.ReadFile("../../README.md")
	must(t, err)
	_, job, _ := strings.Cut(string(readme), "```yaml\n")
	job, _, _ = strings.Cut(job, "```")
	if !deadline.MatchString(job) {
		t.Fatalf("first YAML block of README.md =\n%s\nwant a job with a deadline", job)
	}
	runText(t, dir, root, "wordcount", job)
	want := shell(t, root, `find src -name '*.go' -type f -print0 | sort -z | xargs -0 cat |
		tr -cs '[:alnum:]' '\n' | sort | uniq -c | awk 'NF == 2 { print $1, $2 }' | sort -k2`)
	if got := shell(t, dir, "awk 'NF == 2' wordcount-out/reduce/*/counts | sort -k2"); got != want {
		t.Errorf("counts = %d bytes, want %d; the first line that differs is %q", len(got), len(want), first(got, want))
	}
}

// first returns the first line in which got is not want.
func first(got, want string) string {
	wants := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wants) || line != wants[i] {
			return line
		}
	}
	return ""
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	if last := run(t, dir, "", "sweep"); last.Tasks != 8+1+1 {
		t.Errorf("tasks of sweep = %d, want 10", last.Tasks)
	}
	lines := strings.Split(strings.TrimSpace(shell(t, dir, "cat sweep-out/rank/00000/estimates")), "\n")
	if len(lines) != 8 || !slices.IsSorted(lines) || !strings.Contains(lines[0], "off: 3.14") {
		t.Errorf("estimates = %q, want eight in order, the nearest with 3.14 first", lines)
	}
}

func TestGrep(t *testing.T) {
	dir, root := t.TempDir(), source(t)
	want := shell(t, root, `grep -rn --include='*.go' 'sync\.Mutex' "$PWD/src" | sort`)
	run(t, dir, root, "grep")
	if got := shell(t, dir, "cat grep-out/look/*/found | sort"); got != want || want == "" {
		t.Errorf("lines found = %d, want the %d of grep -rn, and some", strings.Count(got, "\n"), strings.Count(want, "\n"))
	}
}
