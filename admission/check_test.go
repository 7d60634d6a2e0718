package admission

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// tick makes a check come due and lists its events.
func (p *driver) tick() (said []*subjects.Endangered) {
	p.now = p.now.Add(5 * time.Second)
	for _, host := range p.a.facts.Ledger.Hosts() {
		p.use(host.Name, p.a.pool.Supply.Usage[host.Name].Now())
	}
	for _, e := range p.settle() {
		said = append(said, e.(*subjects.Endangered))
	}
	return said
}

// pass advances time and lists the events meanwhile.
func (p *driver) pass(span time.Duration) (said []*subjects.Endangered) {
	for end := p.now.Add(span); p.now.Before(end); {
		said = append(said, p.tick()...)
	}
	return said
}

func TestABrokenPromiseIsSaidOnceAndTakenBackOnce(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(400, "2300s").Job // takes 1000 s
	if said := p.pass(5 * time.Minute); len(said) != 0 {
		t.Fatalf("said of a job in time: %+v, want nothing", said[0])
	}
	p.use("a", 2) // 2000 s
	if said := p.pass(time.Minute); len(said) != 0 {
		t.Fatalf("said after a busy minute: %+v, want nothing", said[0])
	}
	said := p.pass(5 * time.Minute)
	if len(said) != 1 || said[0].Job != id || said[0].Slack >= 0 || said[0].Finish == 0 {
		t.Fatalf("said after five busy minutes: %+v, want one event of %s with negative slack", said, id)
	}
	if want := "cores, they left 4.0 when it was admitted"; !strings.Contains(said[0].Why, want) {
		t.Errorf("said %q, want %q in it", said[0].Why, want)
	}
	p.use("a", 4)
	said = p.pass(5 * time.Minute)
	if len(said) != 1 || said[0].Slack <= 0 || p.a.facts.Ledger.Job(id).Endangered {
		t.Fatalf("said after the danger: %+v, want one event with positive slack", said)
	}
}

func TestSlackAboutZeroIsNotWorthAnEvent(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(400, "1004s")
	for range 4 { // late by 16 s at last, of a band of 20 s
		if said := p.tick(); len(said) != 0 {
			t.Errorf("said within the band: %+v, want nothing", said[0])
		}
	}
}

func TestAPoolWithoutCPUEndangersItsPromises(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(4, "1h")
	p.tick()
	p.tick()
	p.use("a", 0)
	said := p.pass(6 * time.Minute)
	if len(said) != 1 || !strings.HasPrefix(said[0].Why, "no host is expected to leave it any CPU") || said[0].Finish != 0 {
		t.Fatalf("said without CPU: %+v, want one event with that cause and no finish", said)
	}
}

func TestANewLeaderWaitsForTelemetryBeforeItWarns(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.submit(4, "1h")
	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.a.Restore(b); err != nil {
		t.Fatal(err)
	}
	p.say(&subjects.Led{Actor: Name, Partition: "all"})
	p.now = p.now.Add(9 * time.Second)
	if events := p.settle(); len(events) != 0 {
		t.Errorf("decided before the first telemetry: %+v, want nothing", events[0])
	}
}

// A job's tasks take three times what their model says: its done tasks and its
// overdue ones show it long before its end would.
func TestTasksSlowerThanTheirModelEndangerTheirJob(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(40, "200s").Job // 100 s by its estimate, 300 in truth
	host := p.a.facts.Ledger.Host("a")
	var said []*subjects.Endangered
	for wave := range 3 {
		var attempts []uint64
		for i := range 4 {
			p.say(&subjects.Assigned{Host: "a", Job: id, TaskID: subjects.TaskID{Task: uint32(4*wave + i)}, Term: host.Term, Slot: uint32(i), Width: 1})
			attempts = append(attempts, p.seq)
			p.say(&subjects.Started{Host: "a", Job: id, Fact: subjects.Fact{TaskID: subjects.TaskID{Task: uint32(4*wave + i)}, Term: host.Term, Attempt: p.seq}})
		}
		said = append(said, p.pass(30*time.Second)...)
		for i, attempt := range attempts {
			p.say(&subjects.Finished{Host: "a", Job: id, Fact: subjects.Fact{TaskID: subjects.TaskID{Task: uint32(4*wave + i)}, Term: host.Term, Attempt: attempt}, Run: subjects.Run{Seconds: 30}})
		}
	}
	if len(said) == 0 || !strings.Contains(said[0].Why, "times what their model says") {
		t.Fatalf("said: %+v, want tasks slower than their model as the cause", said)
	}
	if late := time.Unix(0, p.a.facts.Ledger.Job(id).Deadline).Sub(p.now); late < 90*time.Second {
		t.Errorf("said %v before the deadline, want at least 90s", late)
	}
}

func TestALostHostIsNamedAsTheCause(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.join("b", 4)
	p.submit(80, "150s") // 100 s on eight slots
	p.say(&subjects.Lost{Host: "b", Term: p.a.facts.Ledger.Host("b").Term})
	said := p.tick()
	if len(said) != 1 || !strings.Contains(said[0].Why, "1 host is gone since it was admitted") {
		t.Fatalf("said: %+v, want one event with a lost host as the cause", said)
	}
}
