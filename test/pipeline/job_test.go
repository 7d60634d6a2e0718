package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/client"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/poll"
)

// submit hands a document over, as `lull submit` does from a folder.
func submit(t *testing.T, c *client.Client, folder, doc string) string {
	t.Helper()
	ctx, cancel := patiently(t)
	defer cancel()
	d, id := parsed(t, doc), client.NewID()
	if err := c.Expand(ctx, d, folder); err != nil {
		t.Fatal(err)
	}
	job, err := c.Submit(ctx, d, id)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func parsed(t *testing.T, doc string) *spec.Doc {
	t.Helper()
	d, err := spec.Parse([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// ended waits for a job's end and returns what the log says of it.
func ended(t *testing.T, c *client.Client, id string) *ledger.Job {
	t.Helper()
	return when(t, c, id, func(j *ledger.Job) bool { return j.Phase.Ended() })
}

// when waits until cond holds of a job.
func when(t *testing.T, c *client.Client, id string, cond func(*ledger.Job) bool) *ledger.Job {
	t.Helper()
	return reaches(t, c, "job "+id, func(s *ledger.State) bool { j := s.Job(id); return j != nil && cond(j) }).Job(id)
}

// reaches waits until cond holds for the state of the pool.
func reaches(t *testing.T, c *client.Client, what string, cond func(*ledger.State) bool) *ledger.State {
	t.Helper()
	ctx, cancel := patiently(t)
	defer cancel()
	view, err := c.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Until(ctx, func() bool { return cond(view.State) }); err != nil {
		if errors.Is(err, poll.ErrChance) {
			t.Log(situation(t, c, view.State))
		}
		t.Fatalf("waiting for %s: %v", what, err)
	}
	return view.State
}

// situation describes the jobs, and how many cores the hosts have idle: a machine that is busy with other work
// offers no slots.
func situation(t *testing.T, c *client.Client, s *ledger.State) (text string) {
	t.Helper()
	for j := range s.Jobs().All() {
		text += fmt.Sprintf("job %s is %v with %+v; ", j.ID, j.Phase, j.Totals)
	}
	for _, h := range s.Hosts() {
		heard, err := c.LastUsage(t.Context(), []string{h.Name})
		if u := heard[h.Name]; err == nil && u != nil {
			text += fmt.Sprintf("host %s has %.2f cores idle, which its tasks need; ", h.Name, u.Idle)
		}
	}
	return text
}

// finished is ended, and well.
func finished(t *testing.T, c *client.Client, id string) *ledger.Job {
	t.Helper()
	j := ended(t, c, id)
	if j.Phase != ledger.Finished {
		t.Fatalf("job %s = %v (%s: %s), want finished", id, j.Phase, j.Code, j.Text)
	}
	return j
}

// results reads all files below a folder, by their relative names, but not
// those that lull keeps for itself.
func results(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		body, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		found[name] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// all joins the results in no order that matters.
func all(files map[string]string) string {
	var b strings.Builder
	for _, body := range files {
		b.WriteString(body)
	}
	return b.String()
}

func write(t *testing.T, path, body string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}
