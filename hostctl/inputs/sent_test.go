package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lull/hostctl/actor"
	"lull/hostctl/refusal"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// bucket is a pool with one object.
type bucket struct {
	body  []byte
	err   error
	reads atomic.Int32
}

func (b *bucket) Submitted(context.Context, string, uint64) (*subjects.Submitted, error) {
	return nil, errors.New("not asked for")
}

func (b *bucket) Object(context.Context, string) ([]byte, error) {
	b.reads.Add(1)
	return b.body, b.err
}

// sender is a host, and attempts of a stage with files.
func (b *bucket) sender(t *testing.T) (*Gatherer, func(task uint32) Attempt) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	sent := []spec.Sent{{Content: spec.SummedList(strings.Repeat("ab", 32)), Names: []string{"run.sh", "lib/"}}}
	doc := &subjects.Submitted{Spec: spec.Job{Stages: []spec.Stage{{Name: "a", Sent: sent}}}}
	return New(Config{Lookup: b, Store: s}), func(task uint32) Attempt {
		f := s.Folder(store.Task{Job: "job", Task: task}, uint64(task)+1)
		if err := f.Make(); err != nil {
			t.Error(err)
		}
		return Attempt{Task: actor.Task{Job: "job", TaskID: subjects.TaskID{Task: task}}, Doc: doc, Folder: f}
	}
}

func encoded(t *testing.T, entries ...spec.Entry) []byte {
	t.Helper()
	body, err := subjects.Marshal(spec.Bundle{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// Tasks that begin together fetch what they are sent once.
func TestFilesAreFetchedOnceAHost(t *testing.T) {
	b := &bucket{body: encoded(t, spec.Entry{Path: "run.sh", Mode: 0o755, Body: []byte("x")})}
	g, attempt := b.sender(t)
	var all sync.WaitGroup
	for task := range uint32(8) {
		all.Go(func() {
			at := attempt(task)
			if err := g.Place(t.Context(), at); err != nil {
				t.Error(err)
			}
			if body, err := os.ReadFile(at.Folder.Work() + "/run.sh"); string(body) != "x" {
				t.Errorf("task %d finds %q, %v, want x", task, body, err)
			}
		})
	}
	all.Wait()
	if n := b.reads.Load(); n != 1 {
		t.Errorf("reads of the file that is sent = %d, want 1", n)
	}
}

func TestFilesThatAreMissingOrDamagedFailTheTask(t *testing.T) {
	for name, c := range map[string]struct {
		bucket *bucket
		want   actor.Outcome
		says   string
	}{
		"missing":     {&bucket{err: fmt.Errorf("list: %w", fs.ErrNotExist)}, actor.Failed, "(run.sh, lib/) are not in the pool any more: submit it again"},
		"no bundle":   {&bucket{body: []byte("\xff\xff")}, actor.Failed, "(run.sh, lib/) are damaged"},
		"out":         {&bucket{body: encoded(t, spec.Entry{Path: "../x"})}, actor.Failed, "leads out"},
		"link out":    {&bucket{body: encoded(t, spec.Entry{Path: "x", Link: "/etc/passwd"})}, actor.Failed, "out of what is sent"},
		"unreachable": {&bucket{err: errors.New("no answer")}, actor.Declined, "(run.sh, lib/): no answer"},
	} {
		g, attempt := c.bucket.sender(t)
		err := g.Place(t.Context(), attempt(0))
		var known refusal.Error
		if !errors.As(err, &known) || known.Outcome != c.want || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want outcome %v and %q", name, err, c.want, c.says)
		}
	}
}
