package admission

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/admission/judge"
	"lull/admission/level"
	"lull/admission/outlook"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/admission/variance"
	"lull/subjects"
	"lull/subjects/room"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// stagePlay is a pool of few slots with jobs of one or two stages. Times are whole seconds: one on
// an idle slot, two on half a one, and so on. With alike all slots have one residual.
func stagePlay(t *rapid.T, alike bool) *Actor {
	a, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	a.facts.Now = int64(time.Hour)
	r := rapid.SampledFrom([]int{100, 50, 25}).Draw(t, "residual")
	for i := range rapid.IntRange(1, 4).Draw(t, "slots") {
		if !alike {
			r = rapid.SampledFrom([]int{100, 50, 25}).Draw(t, "residual")
		}
		free := span.Micros(rapid.IntRange(0, 5).Draw(t, "free")) * 1e6
		a.pool.Supply.Seats = append(a.pool.Supply.Seats, pool.Seat{Free: free, Step: r, Offer: i, Outlook: always(r)})
	}
	a.pool.Supply.Seats.Order()
	for i := range rapid.IntRange(1, 5).Draw(t, "jobs") {
		a.pool.Queue.Insert(playedLoad(t, a, uint64(i)))
	}
	return a
}

// always is the outlook of one slot that has the same residual for ever.
func always(step int) *outlook.Outlook {
	idle := float64(step) / tct.Steps
	o := outlook.Expect(idle, idle, 1, room.Reserve{})
	return &o
}

func playedLoad(t *rapid.T, a *Actor, seq uint64) *pool.Load {
	l := &pool.Load{Seq: seq, Salt: int64(seq), Shape: new(spec.Job), Pace: pool.Even}
	l.Deadline = a.facts.Now + 1e9*rapid.Int64Range(-5, 60).Draw(t, "deadline")
	room := make([]int, len(a.pool.Supply.Seats))
	for i := range room {
		room[i] = rapid.SampledFrom([]int{1, 1, 1, 0}).Draw(t, "room")
	}
	c := &pool.Class{Needs: pool.Needs{CPU: 1}, Room: room}
	for i := range rapid.IntRange(1, 2).Draw(t, "stages") {
		st := spec.Stage{Name: "s", Tasks: uint32(rapid.IntRange(0, 6).Draw(t, "tasks"))}
		if i > 0 {
			st.After = []uint32{0}
		}
		l.Shape.Stages = append(l.Shape.Stages, st)
		u := &pool.Unit{Class: c, Curve: tct.Default(time.Second), MarginFactor: 1, Varies: variance.Guessed}
		u.BestSeconds = u.Curve.Seconds(1)
		l.Stages = append(l.Stages, pool.LoadStage{Unit: u, Left: int(st.Tasks), Factor: 1})
	}
	return l
}

// slowly plays without variance, second by second: at each, every free slot in the
// order of residuals asks all jobs in theirs.
func slowly(a *Actor, loads []*pool.Load) []span.Micros {
	seats, left, ends := append(pool.Seats{}, a.pool.Supply.Seats...), make([][2]int, len(loads)), make([]span.Micros, len(loads))
	slices.SortFunc(seats, func(x, y pool.Seat) int { return x.Offer - y.Offer })
	done := make([][2]span.Micros, len(loads))
	for i, l := range loads {
		for k := range l.Stages {
			left[i][k] = l.Stages[k].Left
		}
	}
	for now := span.Micros(0); now < 200e6; now += 1e6 {
		for _, step := range []int{100, 50, 25} {
			for s := range seats {
				if seats[s].Step != step || seats[s].Free > now {
					continue
				}
				slowlyServe(loads, left, done, &seats[s], now)
			}
		}
	}
	for i, l := range loads {
		for k := range l.Stages {
			ends[i] = max(ends[i], done[i][k])
			if left[i][k] > 0 {
				ends[i] = span.Horizon
			}
		}
	}
	return ends
}

func slowlyServe(loads []*pool.Load, left [][2]int, done [][2]span.Micros, s *pool.Seat, now span.Micros) {
	for i, l := range loads {
		for k := range l.Stages {
			waits := k > 0 && (left[i][0] > 0 || done[i][0] > now)
			if left[i][k] == 0 || waits || l.Stages[k].Unit.Class.Room[s.Offer] == 0 {
				continue
			}
			left[i][k]--
			s.Free = now + span.Micros(100/s.Step)*1e6
			done[i][k] = max(done[i][k], s.Free)
			return
		}
	}
}

func TestAPlayIsWhatASlowWalkThroughTimeFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := stagePlay(t, true) // among others, tasks may wait for the better ones: see holds
		r, ok := a.judge.Rehearse(a.pool.Queue.Few(), nil)
		if !ok {
			t.Fatal("Rehearse(few tasks) gave up, want it played")
		}
		r.Takes = 1
		want := slowly(a, a.pool.Queue.Few())
		r.Each(func(p *judge.Play) {
			for i := range p.Jobs {
				if p.Jobs[i].End != want[i] {
					t.Fatalf("job %d ends at %d, by the walk at %d", i, p.Jobs[i].End, want[i])
				}
			}
		})
	})
}

// What the search finds must be admitted when it comes back as a deadline, and
// so must everything that it passed over be refused.
func TestTheOpeningIsTheFirstDeadlineThatIsAdmitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := stagePlay(t, false)
		l := playedLoad(t, a, 99)
		l.Salt = a.facts.Now
		a.pool.Supply.Level = level.New([]span.Micros{0})
		safe, ok, played := a.judge.EarliestByRehearsal(l)
		if !played {
			t.Fatal("EarliestByRehearsal(few tasks) gave up, want it played")
		}
		const grain = 50_000 // µs
		for after := span.Micros(0); after < safe-grain && after < 100e6; after += grain {
			if l.Deadline = a.facts.Now + int64(after)*1e3; admitted(a, l) {
				t.Fatalf("EarliestByRehearsal() = %d µs, but %d are admitted, want the earliest", safe, after)
			}
		}
		if l.Deadline = a.facts.Now + int64(safe)*1e3; ok && !admitted(a, l) {
			t.Fatalf("EarliestByRehearsal() = %d µs, which is refused, want it admitted", safe)
		}
	})
}

func admitted(a *Actor, l *pool.Load) bool {
	f := a.judge.Predict(l)
	return f.Admissible(subjects.ModeAffected, l.UntilDeadline(a.facts.Now))
}

func TestALongQueueIsNotPlayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := stagePlay(t, false)
		l := playedLoad(t, a, 99)
		if _, ok := a.judge.Rehearse(slices.Repeat([]*pool.Load{l}, pool.MaxPlayed+1), l); ok {
			t.Fatalf("Rehearse(%d jobs) played, want it to give up", pool.MaxPlayed+1)
		}
	})
}

// A task of twenty seconds is nothing to a pool of two hundred idle cores, be
// there ever so bad slots beside them.
func TestASmallJobInALargePoolIsAdmitted(t *testing.T) {
	p := newDriver(t, Config{})
	for i := range 50 {
		p.join(fmt.Sprint("good-", i), 4)
		p.join(fmt.Sprint("bad-", i), 0.21)
	}
	doc := []byte("name: small\ndeadline: 60s\nstages:\n- {name: map, command: [\"true\"], tasks: 1, estimate: 20s}\n- {name: reduce, command: [\"true\"], tasks: 1, estimate: 1s, after: [map]}\n")
	inbox := p.submitted(doc)
	p.settle()
	if v := p.replies[inbox]; v.Verdict != "admitted" || v.Slack != 39 {
		t.Errorf("reply = %+v, want admitted with slack 39", v)
	}
}
