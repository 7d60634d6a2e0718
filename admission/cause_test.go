package admission

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// wantCause expects one warning, about a job, that names a cause.
func wantCause(t *testing.T, said []*subjects.Endangered, job, cause string) {
	t.Helper()
	if len(said) != 1 || said[0].Job != job || !strings.Contains(said[0].Why, cause) {
		t.Fatalf("said of %s: %+v, want one event with cause %q", job, said, cause)
	}
}

func TestDriftIsNamedAsTheCause(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.say(&subjects.Fitted{Type: "job", A: 5, Low: 0.05, High: 1, Samples: 100})
	job := p.submit(80, "150s").Job // 100 s
	p.say(&subjects.Fitted{Type: "job", A: 20, Low: 0.05, High: 1, Samples: 120, Drift: true})
	wantCause(t, p.tick(), job, "its run times vary too much to predict")
}

func TestMoreUrgentJobsAreNamedAsTheCause(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	job := p.submit(80, "300s").Job // 200 s
	if v := p.submit(8, "100s"); v.Verdict != "admitted" {
		t.Fatalf("submit(8, 100s) = %+v, want it admitted", v)
	}
	p.use("a", 2.6)
	said := p.pass(4 * time.Minute)
	for _, e := range said {
		if e.Job == job {
			wantCause(t, []*subjects.Endangered{e}, job, "1 more urgent job pushed it back by 20 s")
			return
		}
	}
	t.Fatalf("said = %+v, want an event of %s", said, job)
}

func TestASaturatedDataNodeIsNamedAsTheCause(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	doc := fmt.Appendf(nil, "name: job\ndeadline: 60s\nstages:\n- {name: one, command: [\"true\"], tasks: 8, estimate: 10s, sources: [store]}\n")
	inbox := p.submitted(doc)
	p.settle()
	job := p.replies[inbox].Job
	wantCause(t, p.pass(50*time.Second), job, "the data nodes they read from may be saturated")
}
