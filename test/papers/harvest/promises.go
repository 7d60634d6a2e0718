package harvest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/papers/workload"
	"lull/test/parallel"
	"lull/test/report"
)

// A pool whose days differ from its nights: servers of a few periodic tenants. Over many tenants the hours
// even out, because each has hours of its own.
var rhythmic = mix{tenants: [3]int{0, 0, 4}, servers: [3]float64{0, 0, 1}}

const (
	promiseServers = 8
	promiseUse     = 0.35
	promiseHours   = 96
	promiseGap     = 4 * time.Hour
	promiseLead    = 48 * time.Hour // of jobs that teach and are not counted
	promiseTask    = 15 * time.Minute
	// promiseLook is the time between two samples of a server that does not change, and between two looks at promises.
	promiseLook = time.Minute
)

// expectations are what admission expects beyond the next hour.
var expectations = []struct {
	name   string
	steady bool
	future bool
}{{"long-run mean", true, false}, {"day", false, false}, {"the future", false, true}}

// promises shows how much it helps promises of deadlines to know a tenant's day. Jobs take two to eight
// hours of the whole pool, and are due after 1.5 to 4 times that.
func promises(ctx context.Context, o options) (*report.Report, error) {
	in, err := readInputs(o.files)
	if err != nil {
		return nil, err
	}
	servers, length := o.sized(promiseServers, promiseHours)
	lead := promiseLead
	if o.quick {
		lead, length = lead/8, length/8
	}
	seeds := o.all()
	all, err := parallel.Each(ctx, len(expectations)*len(seeds), func(ctx context.Context, i int) (promised, error) {
		seed, expects := seeds[i%len(seeds)], expectations[i/len(seeds)]
		s := promiseRun(&in, servers, lead+length, seed)
		if s.Admission.Steady = expects.steady; expects.future {
			s.Admission.PredictIdle = leaves(s.Hosts)
		}
		r, err := sim.Run(ctx, s)
		if err != nil {
			return promised{}, fmt.Errorf("%s, seed %d: %w", expects.name, seed, err)
		}
		return keptOf(&s, r, lead), nil
	})
	if err != nil {
		return nil, err
	}
	r := &report.Report{Notes: []string{
		fmt.Sprintf("%d servers of 12 cores, %d seeds. Each draws four periodic tenants, scaled linearly to a use of %.0f %%, a week of the month, and jobs for %v, one each %v on average.", servers, o.seeds, 100*promiseUse, length, promiseGap),
		fmt.Sprintf("A job is tasks of %v, so many that the pool's idle cores, as they are on average, take 2 to 8 h for them. It is due after 1.5 to 4 times that.", promiseTask),
		"needless: the oracle, which knows what servers are going to use and divides idle cores by deadline, keeps the job beside all that were admitted.",
	}}
	var sums []promised
	for i, e := range expectations {
		var sum promised
		for _, p := range all[i*len(seeds) : (i+1)*len(seeds)] {
			sum.add(p)
		}
		sums = append(sums, sum)
		r.Rows = append(r.Rows, sum.row(e.name))
	}
	r.Checks = append(r.Checks,
		report.AtLeast("day: admitted jobs in time, %", 100*sums[1].inTime/max(sums[1].admitted, 1), 99).Unreached(),
		report.AtMost("needless refusals, of those by the long-run mean", sums[1].needless/max(sums[0].needless, 1), 0.5).Unreached())
	return r, nil
}

// promiseRun returns the scenario of a pool with jobs.
func promiseRun(in *inputs, servers int, length time.Duration, seed uint64) sim.Scenario {
	c := newCentre(in.tenants, rhythmic, servers, promiseUse, linear, workload.Random(seed, "centre"))
	at := from(workload.Random(seed, "from"))
	idle := (1 - c.level) * float64(servers*cores)
	s := sim.Scenario{
		Seed: seed, Hosts: c.hosts(at), Tenants: c.classes(at, seed), Jobs: due(idle, length, workload.Random(seed, "jobs")), Telemetry: promiseLook,
		Admission: admission.Config{Mode: subjects.ModeAffected, Check: promiseLook, Stale: 3 * promiseLook},
		Slotter:   slotter.Config{Steer: slotter.SteerProfile, Stale: 3 * promiseLook, Silence: 6 * promiseLook},
	}
	for i := range s.Hosts {
		past := scaled(c.tenants[c.of[i]].known(at), c.by)
		s.Hosts[i].Usual = cores * (1 - mean(past.Between(past.End().Add(-7*24*time.Hour), past.End()), same))
	}
	return s
}

// leaves returns a function that says how many cores a server is going to leave idle on average.
func leaves(hosts []sim.Host) func(string, time.Time, time.Duration, time.Duration) float64 {
	named := map[string]*sim.Host{}
	for i := range hosts {
		named[hosts[i].Name] = &hosts[i]
	}
	return func(name string, now time.Time, from, until time.Duration) float64 {
		h, begin := named[name], max(now.Sub(sim.Begin), 0)
		idle := 0.0
		for at, end := begin+from, begin+until; at < end; {
			used, next := h.Load.At(at)
			next = min(next, end)
			idle += max(float64(h.Cores)-used, 0) * (next - at).Seconds()
			at = next
		}
		return idle / (until - from).Seconds()
	}
}

// due draws the jobs, which arrive as a Poisson process.
func due(idle float64, length time.Duration, rng *rand.Rand) (jobs []sim.Job) {
	for at := time.Duration(0); ; {
		if at += time.Duration(rng.ExpFloat64() * float64(promiseGap)); at > length {
			return jobs
		}
		ideal := time.Duration((2 + 6*rng.Float64()) * float64(time.Hour))
		j := spec.Job{Name: fmt.Sprintf("j%02d", len(jobs)), Type: "batch", DeadlineIn: time.Duration((1.5 + 2.5*rng.Float64()) * float64(ideal))}
		tasks := idle * ideal.Hours() / promiseTask.Hours()
		j.Stages = []spec.Stage{{Name: "work", Tasks: uint32(tasks), CPU: 1, Memory: 1 << 30, Estimate: promiseTask}}
		jobs = append(jobs, sim.Job{At: at, Spec: j})
	}
}

// promised counts outcomes of jobs with deadlines.
type promised struct{ jobs, admitted, inTime, refused, needless, hours float64 }

func (p *promised) add(o promised) {
	p.jobs, p.admitted, p.inTime = p.jobs+o.jobs, p.admitted+o.admitted, p.inTime+o.inTime
	p.refused, p.needless, p.hours = p.refused+o.refused, p.needless+o.needless, p.hours+o.hours
}

func (p *promised) row(name string) report.Row {
	return report.Row{
		{Key: "expects", Value: name}, {Key: "jobs", Value: p.jobs}, {Key: "admitted", Value: p.admitted},
		{Key: "in_time_%", Value: 100 * p.inTime / max(p.admitted, 1)}, {Key: "refused", Value: p.refused},
		{Key: "needless", Value: p.needless}, {Key: "in_time_core_h", Value: p.hours},
	}
}

// keptOf sums up a run, and asks the oracle of each refused job.
func keptOf(s *sim.Scenario, r *sim.Result, lead time.Duration) (p promised) {
	var kept, refused []demand
	for i := range r.Jobs {
		j := &r.Jobs[i]
		d := demand{j.Submitted, j.Deadline, promiseTask.Hours() * float64(s.Jobs[i].Spec.Stages[0].Tasks)}
		counts := j.Submitted >= lead
		if counts {
			p.jobs++
		}
		if j.State == ledger.Rejected.String() {
			if d.due = d.at + s.Jobs[i].Spec.DeadlineIn; counts {
				refused = append(refused, d)
			}
			continue
		}
		if kept = append(kept, d); !counts {
			continue
		}
		if p.admitted++; j.State == ledger.Finished.String() && j.Late(r.End) == 0 {
			p.inTime, p.hours = p.inTime+1, p.hours+d.work
		}
	}
	p.refused = float64(len(refused))
	free := idleOf(s.Hosts, s.Jobs[len(s.Jobs)-1].At+48*time.Hour)
	before := free.keeps(kept)
	for _, d := range refused {
		with := free.keeps(append(slices.Clone(kept), d))
		spoilt := false
		for i := range kept {
			spoilt = spoilt || before[i] && !with[i]
		}
		if !spoilt && with[len(kept)] {
			p.needless++
		}
	}
	return p
}
