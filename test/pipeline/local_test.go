package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lull/client"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/service"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/test/unguarded"
)

// start runs everything in this process for the length of a test, and checks
// that nothing of it stays behind.
func start(t *testing.T, cfg local.Config) (*local.Local, *client.Client) {
	t.Helper()
	if cfg.Data == "" {
		cfg.Data = filepath.Join(t.TempDir(), "data")
	}
	if cfg.Host.Name == "" {
		cfg.Host.Name = fmt.Sprintf("test-%d", os.Getpid())
	}
	cfg.Host.Slots = 2
	unguarded.Set(&cfg.Host.Options)
	before := goleak.IgnoreCurrent()
	l, err := local.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("Close() = %v, want no error", err)
		}
		nothingLeft(t, cfg.Host.Name, cfg.Data)
		noGoroutines(t, before)
	})
	return l, connect(t, l)
}

func connect(t *testing.T, l *local.Local) *client.Client {
	t.Helper()
	conn, err := l.Conn("test")
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.Open(t.Context(), conn, subjects.DefaultPool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// noGoroutines checks that no new goroutine is left. It gives time to those that wait for the end of a
// process.
func noGoroutines(t *testing.T, before goleak.Option) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		err := goleak.Find(before) // tries for about a second
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Error(err)
			return
		}
	}
}

// nothingLeft looks for processes and cgroups of a host that is closed.
func nothingLeft(t *testing.T, host, data string) {
	t.Helper()
	groups, _ := filepath.Glob("/sys/fs/cgroup/*/lull/" + host + "-*")
	more, _ := filepath.Glob("/sys/fs/cgroup/lull/" + host + "-*")
	if groups = append(groups, more...); len(groups) > 0 {
		t.Errorf("cgroups left behind = %q, want none", groups)
	}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), data) {
			t.Errorf("process left behind = %s %q, want none", path, line)
		}
	}
}

func TestTasksWithoutInput(t *testing.T) {
	_, c := start(t, local.Config{})
	j := finished(t, c, submit(t, c, ".", `
name: noop
stages:
  - {name: a, tasks: 50, command: ["/bin/true"]}
`))
	if j.Totals.Tasks != 50 || j.Totals.Attempts != 50 || j.Totals.Failed != 0 {
		t.Errorf("totals = %+v, want 50 tasks in 50 attempts, none failed", j.Totals)
	}
}

const wordcount = `
name: count
output: out
stages:
  - name: map
    inputs: ["in/*.txt"]
    split: 1KB
    command: |
      tr -cs a-z '\n' | while read -r word; do
        case $word in ''|[a-m]*) p=0;; *) p=1;; esac
        [ -z "$word" ] || echo "$word" >> "$LULL_OUT/part-$p"
      done
  - name: reduce
    from: {stage: map, by: partition}
    tasks: 2
    command: sort | uniq -c | awk '{print $2, $1}' > "$LULL_OUT/counts-$LULL_PARTITION"
`

func TestMapAndReduce(t *testing.T) {
	_, c := start(t, local.Config{})
	folder := t.TempDir()
	want := corpus(t, folder)
	j := finished(t, c, submit(t, c, folder, wordcount))
	if j.Totals.Tasks < 8 {
		t.Errorf("tasks = %d, want at least 8, as the input is split", j.Totals.Tasks)
	}
	checkCounts(t, filepath.Join(folder, "out"), want)
}

// corpus writes a few files and returns how often each word stands in them.
func corpus(t *testing.T, folder string) map[string]int {
	t.Helper()
	if err := os.Mkdir(filepath.Join(folder, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields("alpha bravo kilo lima mike november oscar zulu")
	want := map[string]int{}
	for f := range 3 {
		var b strings.Builder
		for i := range 400 {
			word := words[i*(f+1)%len(words)]
			want[word]++
			b.WriteString(word + "\n")
		}
		write(t, filepath.Join(folder, "in", fmt.Sprintf("%d.txt", f)), b.String())
	}
	return want
}

func checkCounts(t *testing.T, folder string, want map[string]int) {
	t.Helper()
	var lines []string
	for word, n := range want {
		lines = append(lines, fmt.Sprintf("%s %d", word, n))
	}
	slices.Sort(lines)
	got := strings.Split(strings.TrimSpace(all(results(t, folder))), "\n")
	slices.Sort(got)
	if !slices.Equal(got, lines) {
		t.Errorf("counts =\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

func TestAFailureNamesTheTask(t *testing.T) {
	_, c := start(t, local.Config{})
	j := ended(t, c, submit(t, c, ".", `
name: broken
stages:
  - name: a
    tasks: 2
    retries: 1
    backoff: 10ms
    command: 'echo "no such file" >&2; exit $((LULL_TASK * 7))'
`))
	for _, want := range []string{"task a/1 failed 2 times", "exited with status 7\nno such file"} {
		if j.Phase != ledger.Failed || !strings.Contains(j.Text, want) {
			t.Errorf("job = %v (%s: %s), want failed with %q", j.Phase, j.Code, j.Text, want)
		}
	}
}

func TestOneFolderOneOwner(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	l, _ := start(t, local.Config{Data: data})
	if _, err := local.Start(t.Context(), local.Config{Data: data}); !errors.Is(err, local.ErrTaken) {
		t.Fatalf("Start(the same folder again) = %v, want ErrTaken", err)
	}
	at, ok := local.Attach(data)
	if !ok || at != l.Endpoint() {
		t.Fatalf("Attach() = %+v, %v, want %+v", at, ok, l.Endpoint())
	}
	server := dial.Server{URL: at.URL, Token: at.Token}
	conn, err := server.Dial("test")
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if at, ok := local.Attach(data); ok {
		t.Errorf("Attach() after Close = %+v, want none", at)
	}
}

func TestAJobSurvivesARestart(t *testing.T) {
	data, host := filepath.Join(t.TempDir(), "data"), fmt.Sprintf("again-%d", os.Getpid())
	cfg := local.Config{Data: data, Host: service.HostConfig{Name: host}}
	gate := filepath.Join(t.TempDir(), "open")
	l, c := start(t, cfg)
	job := submit(t, c, ".", `
name: patient
stages:
  - {name: a, tasks: 3, command: 'while [ ! -e `+gate+` ]; do sleep 0.02; done'}
`)
	when(t, c, job, func(j *ledger.Job) bool { return j.Held() > 0 })
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, host, data)
	write(t, gate, "")
	_, c = start(t, cfg)
	if j := finished(t, c, job); j.Totals.Tasks != 3 {
		t.Errorf("totals = %+v, want 3 tasks", j.Totals)
	}
}

func TestHealthy(t *testing.T) {
	l, c := start(t, local.Config{})
	finished(t, c, submit(t, c, ".", "name: n\nstages:\n  - {name: a, tasks: 1, command: [\"true\"]}\n"))
	if err := errors.Join(l.Healthy()...); err != nil {
		t.Errorf("Healthy() after a job = %v, want no error", err)
	}
}
