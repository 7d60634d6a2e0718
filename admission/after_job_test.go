package admission

import (
	"fmt"
	"testing"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// A client may submit a job and one that runs after it before admission has looked at either.
func TestAJobRunsAfterOneOfTheSameBatch(t *testing.T) {
	p := newDriver(t, Config{})
	p.upgrade()
	p.join("a", 4)
	first := subjects.JobID("job", "", "one", 0)
	p.request(actors.Request{Body: job(1, ""), MessageID: "one"})
	p.request(actors.Request{Body: fmt.Appendf(job(1, ""), "after_job: %s\n", first), MessageID: "two"})
	p.settle()
	second := p.a.State().Job(subjects.JobID("job", "", "two", 0))
	if second == nil || second.Phase != ledger.Admitted || len(second.Awaiting.Jobs()) != 1 || second.Awaiting.Jobs()[0].Job != first {
		t.Fatalf("the second job is %+v, want one that is admitted and waits for %s", second, first)
	}
}
