package slotter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// study is a pool like that of MIMP's case study, 20 hosts of two cores whose primaries use from
// nothing to 170 % of 200, in steps of a second. The tasks take what their models say, times a
// factor of their own.
type study struct {
	*pool
	seed    uint64
	rng     *rand.Rand // of the arrivals
	loads   *rand.Rand
	truth   map[string]*tct.Curve
	done    map[uint64]float64 // part of each attempt's work
	factors map[uint64]float64

	total  float64 // seconds of all attempts
	missed int     // deadlines
	rivals int
}

func newStudy(tb testing.TB, policy string, seed uint64, rivals float64) *study {
	s := &study{
		pool: newPool(tb, Config{Policy: policy, Rivals: rivals}), seed: seed,
		rng: rand.New(rand.NewPCG(seed, 1)), loads: rand.New(rand.NewPCG(seed, 2)),
		truth: map[string]*tct.Curve{}, done: map[uint64]float64{}, factors: map[uint64]float64{},
	}
	for i, b := range []float64{-3, -2.2, -1.5, -1.2, -0.8, -0.2} {
		m := &subjects.Fitted{Type: fmt.Sprint("type-", i), A: 30 * math.Exp(-b), B: b, Slow: 1.3, Low: 0.05, High: 1, Samples: 1e6}
		s.say(m)
		s.truth[m.Type] = tct.Of(m)
	}
	for i := range 20 {
		s.join(fmt.Sprintf("host-%02d", i), 2, 1000, 2-s.primary(i))
	}
	return s
}

// primary is what a host's tenant uses, in cores.
func (s *study) primary(host int) float64 {
	switch {
	case host < 6:
		return 0
	case host < 12:
		return 0.2 + 0.15*s.loads.Float64()
	case host < 18:
		return 0.85 + 0.1*s.loads.Float64()
	}
	return 1.3 + 0.4*s.loads.Float64()
}

// run submits 174 jobs within two and a half hours and ends when all are over.
func (s *study) run() {
	begin := s.now
	next, jobs := 0.0, 0
	for t := 0; t < 40_000; t++ {
		for ; jobs < 174 && float64(t) >= next; jobs++ {
			s.arrive(jobs)
			next += s.rng.ExpFloat64() * 9000 / 174
		}
		s.now = begin.Add(time.Duration(t) * time.Second)
		if t%5 == 0 {
			s.hear()
		}
		s.tick()
		for _, e := range s.turn() {
			s.note(e)
		}
		if jobs == 174 && len(s.a.facts.Jobs.BySeq) == 0 {
			return
		}
	}
	s.tb.Fatal("the study does not end")
}

func (s *study) arrive(i int) {
	kind := s.rng.IntN(6)
	deadline := time.Duration(400+s.rng.IntN(600)) * time.Second
	if kind == 5 {
		deadline = 0
	}
	st := tasks("only", uint32(12+s.rng.IntN(46)))
	s.submitSpec(fmt.Sprintf("job-%03d", i), deadline, spec.Job{Name: "job", Type: fmt.Sprint("type-", kind), Stages: []spec.Stage{st}})
}

func (s *study) hear() {
	for i, h := range s.a.facts.Ledger.Hosts() {
		s.beat(h.Name)
		s.use(h.Name, 2-s.primary(i))
	}
}

// tick advances what runs by a second.
func (s *study) tick() {
	for _, h := range s.a.facts.Ledger.Hosts() {
		residual := tct.Residual(s.a.facts.Hosts.Of[h.Name].Idle, h.Busy())
		for _, at := range slices.Clone(h.Attempts()) {
			s.total++
			if s.factors[at.ID] == 0 {
				s.factors[at.ID] = s.factor(at)
			}
			s.done[at.ID] += 1 / (s.factors[at.ID] * s.truth[at.Job.Shape.Type].Seconds(residual))
			if s.done[at.ID] >= 1 {
				e := done(at, float64(s.a.facts.Now-at.Assigned)/1e9)
				s.step(e)
			}
		}
	}
}

// factor is by how much the attempt takes longer than its model says: the same
// under each policy. One in a hundred has something wrong.
func (s *study) factor(at *ledger.Attempt) float64 {
	rng := rand.New(rand.NewPCG(s.seed<<32|uint64(at.Task.Task)<<8|uint64(at.Try), numberOf(at.Job.ID)))
	f := math.Exp(0.15 * rng.NormFloat64())
	if rng.IntN(100) == 0 {
		f *= 6
	}
	return f
}

// numberOf is the number in a job's name.
func numberOf(job string) (n uint64) {
	for _, digit := range strings.TrimPrefix(job, "job-") {
		n = 10*n + uint64(digit-'0')
	}
	return n
}

func (s *study) step(e subjects.Event) {
	s.seq++
	s.a.Step(actors.Input{Now: s.now, Entry: &actors.Entry{Seq: s.seq, Time: s.now, Event: e}})
}

func (s *study) note(e subjects.Event) {
	switch e := e.(type) {
	case *subjects.Assigned:
		if e.Rival {
			s.rivals++
		}
	case *subjects.Revoked:
		if at := s.a.facts.Ledger.Attempt(e.Attempt); at != nil {
			s.step(&subjects.Evicted{Host: e.Host, Job: e.Job, Fact: fact(at), Reason: subjects.ReasonRevoked})
		}
	case *subjects.JobFinished:
		j := s.a.facts.Ledger.Job(e.Job)
		if j.Deadline != 0 && s.now.UnixNano() > j.Deadline {
			s.missed++
		}
	}
}

// In that pool, MIMP's rule needs less time in all than EDF, and mp+ less than MIMP's, at no more
// missed deadlines. Rivals cost less than they save. Runs are compared on the same arrivals, loads
// and variance of tasks.
func TestMPPlusNeedsLessTimeThanMP(t *testing.T) {
	edf, mp, plus := studies(t, "edf", 0.1), studies(t, "mp", 0.1), studies(t, "mp+", 0.1)
	if plus.total >= mp.total || mp.total >= edf.total {
		t.Errorf("edf took %.0f s, mp %.0f, mp+ %.0f: want less and less", edf.total, mp.total, plus.total)
	}
	if plus.missed > mp.missed || plus.missed > edf.missed {
		t.Errorf("deadlines missed by edf, mp, mp+ = %d, %d, %d, want the fewest by mp+", edf.missed, mp.missed, plus.missed)
	}
	if alone := studies(t, "mp+", -1); plus.total >= alone.total || plus.missed > alone.missed {
		t.Errorf("with %d rivals %.0f s and %d missed, without %.0f s and %d, want less with them", plus.rivals, plus.total, plus.missed, alone.total, alone.missed)
	}
}

// studies adds up what a policy did over a few seeds.
func studies(tb testing.TB, policy string, rivals float64) (sum study) {
	for seed := range uint64(2) {
		s := newStudy(tb, policy, seed, rivals)
		s.run()
		sum.total, sum.missed, sum.rivals = sum.total+s.total, sum.missed+s.missed, sum.rivals+s.rivals
	}
	tb.Logf("%s, rivals %g: %.2f h, %d missed, %d rivals", policy, rivals, sum.total/3600, sum.missed, sum.rivals)
	return sum
}
