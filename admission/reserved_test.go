package admission

import (
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// keeping is a pool of one host of four cores that keeps some free, while its primary uses a
// little.
func keeping(t *testing.T, kept uint32) *driver {
	p := newDriver(t, Config{})
	p.say(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 8e9, ReserveCPU: kept})
	for range 40 {
		p.primary("a", 0.4)
		p.now = p.now.Add(10 * time.Second)
	}
	return p
}

// primary publishes what the primary of a host of four cores uses, now and on average.
func (p *driver) primary(host string, cores float64) {
	p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{
		Host: host, At: p.now.UnixNano(), Cores: 4, Primary: cores, Idle: 4 - cores, Usual: 4 - cores, Observed: 7 * 86400,
	}})
}

func TestPromisesReckonWithTheReserve(t *testing.T) {
	for _, c := range []struct {
		kept     uint32
		deadline string
		want     string
	}{
		{0, "70s", subjects.VerdictAdmitted},  // 12 tasks of 10 s on 4 slots
		{2, "70s", subjects.VerdictRejected},  // on the one that reserve and primary leave
		{2, "200s", subjects.VerdictAdmitted}, // 120 s, and a tenth to spare
		{3, "24h", subjects.VerdictRejected},  // there is none
	} {
		if v := keeping(t, c.kept).submit(12, c.deadline); v.Verdict != c.want {
			t.Errorf("%d cores in reserve, due in %s: %+v, want %s", c.kept, c.deadline, v, c.want)
		}
	}
}

func TestATaskThatIsWiderThanTheReserveAllowsIsRejected(t *testing.T) {
	p := keeping(t, 2)
	inbox := p.submitted(append(job(1, ""), "  cpu: 3\n"...))
	p.settle()
	p.now = p.now.Add(time.Second)
	p.settle()
	if v := p.replies[inbox]; v.Code != subjects.ReasonNoHost || !strings.Contains(v.Text, "the largest host that it may use has 2 slots") {
		t.Errorf("reply = %+v, want code %s: the largest host has 2 slots", v, subjects.ReasonNoHost)
	}
}

// The start of a burst counts at once. A promise rests on what batch work may use, not on the
// fractions of cores beside it.
func TestTheReserveCountsWholeCores(t *testing.T) {
	p := keeping(t, 1)
	w := p.a.pool.Supply.Usage["a"]
	if got := w.Now(); got < 3 || got > 3 {
		t.Errorf("beside 0.4 cores of the primary %v count as idle, want 3", got)
	}
	p.primary("a", 1.2)
	if got := w.Now(); got < 2 || got > 2 {
		t.Errorf("beside 1.2 cores of the primary %v count as idle, want 2", got)
	}
}
