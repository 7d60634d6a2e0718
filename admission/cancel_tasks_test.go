package admission

import (
	"testing"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// A cancel that names tasks ends those alone. While a host is up whose agent would stop at
// the event, it is refused.
func TestACancelOfTasksLeavesTheJob(t *testing.T) {
	cancel := func(p *driver, job, tasks string) subjects.Verdict {
		inbox, _ := p.request(actors.Request{
			Subject: subjects.DefaultPool.Request(subjects.RequestCancel), Body: []byte(`{"job":"` + job + `","tasks":[{"stage":0,"tasks":[` + tasks + `]}]}`),
		})
		p.settle()
		return p.replies[inbox]
	}
	for _, c := range []struct {
		format         uint32
		tasks, verdict string
		dropped        int
	}{
		{subjects.Format, `{"first":1,"count":2}`, subjects.VerdictCancelled, 2},
		{subjects.Format, `{"first":3,"count":1}`, subjects.VerdictRefused, 0}, // it has three
		{subjects.FormatTasksCancelled - 1, `{"first":1,"count":2}`, subjects.VerdictRefused, 0},
	} {
		p := newDriver(t, Config{})
		p.say(&subjects.Joined{Host: "a", Slots: 4, Cores: 4, Memory: 1 << 40, Format: c.format})
		p.say(&subjects.Led{Actor: "admission", Partition: "all", Format: subjects.Format}, &subjects.Led{Actor: "slotter", Partition: "all", Format: subjects.Format})
		id := p.submit(3, "").Job
		v := cancel(p, id, c.tasks)
		j := p.a.facts.Ledger.Job(id)
		if v.Verdict != c.verdict || j.Phase == ledger.Cancelled || j.Stages[0].Dropped != c.dropped {
			t.Errorf("cancel of %s with hosts of format %d: %+v, %d cancelled, the job is %s; want %s, %d, and the job open", c.tasks, c.format, v, j.Stages[0].Dropped, j.Phase, c.verdict, c.dropped)
		}
	}
}
