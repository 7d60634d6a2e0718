// Package pure measures the actors in this process, without tasks.
package pure

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"lull/actors"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// pool is a synthetic pool's size.
type pool struct{ jobs, slots int }

const slotsPerHost = 16

// Decide measures the slotter's step alone, without any bus, and how it grows;
// then the way of its decisions through the log.
var Decide = tables.Table{Name: "decide", What: "the slotter's step alone, and events through the log", Run: decide}

func decide(ctx context.Context, quick bool) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"Rates are by the clock, and by the CPU time of the thread, which leaves out what other work of the machine adds.",
	}}
	pools, rounds := []pool{{1000, 10_000}, {10_000, 10_000}, {1000, 100_000}}, 7
	if quick {
		pools, rounds = []pool{{100, 1600}}, 1
	}
	for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
		for _, p := range pools {
			row, rate, err := medianStep(policy, p, rounds)
			if err != nil {
				return nil, err
			}
			r.Rows = append(r.Rows, row)
			if p == pools[0] {
				r.Checks = append(r.Checks, report.AtLeast("assignments per second of CPU of "+policy+", step alone", rate, 100_000))
			}
		}
	}
	return r, throughLog(ctx, r, quick)
}

// medianStep fills as many pools of one kind, one after the other, and returns the median rates: a
// filling takes some 20 ms, and one collection of garbage may add as much.
func medianStep(policy string, p pool, rounds int) (report.Row, float64, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var decided, folded, decidedCPU, foldedCPU []float64
	for range rounds {
		f, err := stepAlone(policy, p)
		if err != nil {
			return nil, 0, err
		}
		n := float64(f.assigned)
		decided, decidedCPU = append(decided, n/f.deciding.wall.Seconds()), append(decidedCPU, n/f.deciding.cpu.Seconds())
		folded, foldedCPU = append(folded, n/f.folding.wall.Seconds()), append(foldedCPU, n/f.folding.cpu.Seconds())
	}
	rate := stat.Median(decidedCPU)
	return report.Row{
		{Key: "policy", Value: policy}, {Key: "jobs", Value: p.jobs}, {Key: "slots", Value: p.slots},
		{Key: "assignments_per_s", Value: stat.Median(decided)}, {Key: "per_cpu_s", Value: rate},
		{Key: "folds_per_s", Value: stat.Median(folded)}, {Key: "folds_per_cpu_s", Value: stat.Median(foldedCPU)},
	}, rate, nil
}

// filling is what it took to fill a pool.
type filling struct {
	assigned          int
	deciding, folding elapsed
}

// stepAlone fills every slot of a pool, a thousand assignments a step. It counts the steps that
// decide and those that fold.
func stepAlone(policy string, p pool) (f filling, err error) {
	s, err := newSynthetic(policy, p)
	if err != nil {
		return f, err
	}
	for {
		var out actors.Output
		took := measure(func() { out = s.step(actors.Input{Decide: true}) })
		n := count(out.Events)
		if n == 0 {
			break
		}
		f.assigned += n
		f.deciding.add(took)
		f.folding.add(measure(func() { s.echo(out.Events) }))
	}
	// Half of the cores are idle, so mp+ leaves up to half of the slots empty.
	if f.assigned != p.slots && (policy != "mp+" || f.assigned < p.slots*4/10) {
		return f, fmt.Errorf("%s filled %d of %d slots", policy, f.assigned, p.slots)
	}
	return f, nil
}

// elapsed is a time by the clock, and the CPU time of the thread in it.
type elapsed struct{ wall, cpu time.Duration }

func (e *elapsed) add(more elapsed) { e.wall, e.cpu = e.wall+more.wall, e.cpu+more.cpu }

func measure(f func()) (e elapsed) {
	start := time.Now()
	e.cpu = threadTime(f)
	e.wall = time.Since(start)
	return e
}

func count(events []subjects.Event) int {
	n := 0
	for _, e := range events {
		if _, ok := e.(*subjects.Assigned); ok {
			n++
		}
	}
	return n
}

// synthetic drives a slotter without a bus: events are folded as they come.
type synthetic struct {
	actor *slotter.Actor
	seq   uint64
	now   time.Time
}

func newSynthetic(policy string, p pool) (*synthetic, error) {
	actor, err := slotter.New(slotter.Config{Policy: policy})
	if err != nil {
		return nil, err
	}
	s := &synthetic{actor: actor, now: time.Unix(1_700_000_000, 0)}
	for i := range p.slots / slotsPerHost {
		s.join(i)
	}
	for i := range types {
		s.echo([]subjects.Event{curve(i)})
	}
	for i := range p.jobs {
		s.admit(i, 2*p.slots/p.jobs+1)
	}
	return s, nil
}

// types is how many job types, and so how many curves, the jobs share.
const types = 50

// curve is a type's model: TCT falls with the residual, at the type's own rate.
func curve(i int) *subjects.Fitted {
	return &subjects.Fitted{
		Type: jobType(i), A: 10 + float64(i), B: -1 - float64(i%7)/2, Samples: 100, Low: 0.05, High: 1,
	}
}

func jobType(i int) string { return fmt.Sprintf("type-%d", i) }

func (s *synthetic) step(in actors.Input) actors.Output {
	in.Now, in.Term = s.now, 1
	return s.actor.Step(in)
}

func (s *synthetic) echo(events []subjects.Event) {
	for _, e := range events {
		s.seq++
		s.step(actors.Input{Entry: &actors.Entry{Seq: s.seq, Time: s.now, Event: e}})
	}
}

func (s *synthetic) join(i int) {
	name := fmt.Sprintf("host-%d", i)
	s.echo([]subjects.Event{&subjects.Joined{
		Host: name, Cores: slotsPerHost, Slots: slotsPerHost, Memory: 64 << 30, Boot: "boot", Instance: name,
	}})
	idle := slotsPerHost * float64(1+i%20) / 20
	s.step(actors.Input{Sample: &subjects.Usage{
		Host: name, At: s.now.UnixNano(), Cores: slotsPerHost, Idle: idle, Primary: slotsPerHost - idle,
		Memory: 64 << 30, MemoryFree: 32 << 30,
	}})
	s.step(actors.Input{Sample: &subjects.Beat{Host: name, Term: s.seq, Boot: "boot", Seq: s.seq}})
}

func (s *synthetic) admit(i, tasks int) {
	job := fmt.Sprintf("job-%d", i)
	deadline := s.now.Add(time.Duration(60+i) * time.Second).UnixNano()
	s.echo([]subjects.Event{
		&subjects.Submitted{Job: job, At: s.now.UnixNano(), Deadline: deadline, Inbox: uint64(i + 1), Spec: spec.Job{
			Name: job, Type: jobType(i % types), Stages: []spec.Stage{{
				Name: "work", Argv: []string{"/bin/true"}, Tasks: uint32(tasks), CPU: 1, Memory: 64 << 20, Retries: 3,
				Backoff: time.Second,
			}},
		}},
		&subjects.Admitted{Job: job, Finish: deadline, Mode: subjects.ModeAffected, Why: "synthetic"},
	})
}
