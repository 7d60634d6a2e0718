package admission

import (
	"testing"
	"time"

	"lull/subjects"
)

// What runs at a rate ends as its rate says: a newcomer that waits for its slots
// begins that much later.
func TestAPacedTaskIsPredictedByItsRate(t *testing.T) {
	ends := map[bool]time.Duration{}
	for _, paced := range []bool{false, true} {
		p := newDriver(t, Config{})
		p.join("a", 4)
		document := []byte("name: job\nstages:\n- name: one\n  command: [\"true\"]\n  tasks: 4\n  estimate: 10s\n  bytes: 100MB\n")
		inbox := p.submitted(document)
		p.settle()
		id, host := p.replies[inbox].Job, p.a.facts.Ledger.Host("a")
		for i := range uint32(4) {
			p.say(&subjects.Assigned{Host: "a", Job: id, TaskID: subjects.TaskID{Task: i}, Term: host.Term, Slot: i, Width: 1})
		}
		if paced { // 40 s instead of 10
			p.say(&subjects.Paced{Host: "a", Job: id, Term: host.Term, Rates: []subjects.Rate{{Rate: 2.5e6}}})
		}
		p.now = p.now.Add(2 * time.Second) // so that the pool is looked at again
		p.use("a", 4)
		at, err := time.Parse(time.RFC3339, p.submit(1, "1h").Finish)
		if err != nil {
			t.Fatal(err)
		}
		ends[paced] = at.Sub(p.now)
	}
	if later := ends[true] - ends[false]; later < 25*time.Second || later > 35*time.Second {
		t.Errorf("end behind paced tasks = %v from now, else %v, want 25s to 35s later", ends[true], ends[false])
	}
}
