package models

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/cmd/lull/commands/listing"
	"lull/hostctl/pace"
)

func TestIdentifyRefusesWhatHasNoInput(t *testing.T) {
	dir := t.TempDir()
	empty, err := os.Create(filepath.Join(dir, "empty"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close() //nolint:errcheck // nothing was written
	if _, err := typed([]string{"wc", "-l"}, empty); err == nil || !strings.Contains(err.Error(), "lull identify -- wc -l < FILE") {
		t.Errorf("typed(wc -l, an empty file) = %v, want an error that shows lull identify -- wc -l < FILE", err)
	}
	if _, err := typed([]string{"wc"}, strings.NewReader("text")); err == nil {
		t.Error("typed(wc, no file) = nil error, want an error")
	}
	for text, says := range map[string]string{
		"name: j\nstages: [{name: a, command: [\"true\"], tasks: 1}]\n":                "a stage with inputs: is needed",
		"name: j\nstages: [{name: a, command: [\"true\"], inputs: [\"./no*file\"]}]\n": "no*file",
		"name: j\nstages: [{name: a, command: [\"true\"], inputs: [\"empty\"]}]\n":     "empty",
	} {
		path := filepath.Join(dir, "job.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		var i identify
		if s, err := i.filed(context.Background(), path, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("filed(%q) = %+v, %v, want an error with %q", text, s, err, says)
		}
	}
}

// The input of a task goes on for longer than the trial lasts, and in the pieces
// that the job file says.
func TestIdentifyFeedsTheFirstTasksInput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(name, []byte(strings.Repeat("a line\n", 100_000)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	job := "name: j\nstages:\n- {name: first, command: \"wc\", tasks: 1}\n- {name: second, command: [wc, -l], inputs: [\"*.txt\"], env: {B: \"2\", A: \"1\"}, cpu: 2}\n"
	if err := os.WriteFile("job.yaml", []byte(job), 0o644); err != nil {
		t.Fatal(err)
	}
	var i identify
	s, err := i.filed(context.Background(), "job.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	task, err := s.task(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(task.Argv, " ") != "wc -l" || task.Cores < 2 || len(task.Input) < 2 || task.Input[0].Path != task.Input[1].Path {
		t.Errorf("task = %q with %v cores on %d ranges, want wc -l with at least 2 cores, on 2 ranges of one file first", task.Argv, task.Cores, len(task.Input))
	}
	if env := strings.Join(task.Env, "\n"); !strings.HasSuffix(env, "A=1\nB=2") || !strings.Contains(env, "LULL_PROGRESS=") {
		t.Errorf("environment ends %q, want A=1 and B=2 at its end, LULL_PROGRESS before", env[max(0, len(env)-40):])
	}
}

func TestIdentifiedIsPrinted(t *testing.T) {
	good := identifiedOf(&pace.Learnt{Model: pace.Model{A: 0.2, B: 50e6, R2: 0.95, Samples: 50}}, "cpu.max")
	var page, object bytes.Buffer
	if err := good.print(&page, listing.Table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.200·T(k−1) + 50·C(k−1)", "R² = 0.950", "62.5 MB/s", "cpu.max"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("page lacks %q, want it in\n%s", want, page.String())
		}
	}
	bad := identifiedOf(&pace.Learnt{Refused: "it reads nothing"}, "cpu.max")
	if err := bad.print(&object, listing.JSON); err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(object.Bytes(), &back); err != nil || back["refused"] != "it reads nothing" {
		t.Errorf("JSON of a refusal = %s (%v), want the reason", object.String(), err)
	}
	page.Reset()
	if err := bad.print(&page, listing.Table); err != nil || page.Len() > 0 {
		t.Errorf("page of a refusal = %q, %v, want nothing", page.String(), err)
	}
}
