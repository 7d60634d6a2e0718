package simulate

import (
	"slices"
	"time"

	"lull/sim"
	"lull/subjects/ledger"
)

// Figures are the results of a run, or the means over several runs. Counts are floats, because a mean may
// have a fraction.
type Figures struct {
	Jobs      float64 `json:"jobs"`
	Met       float64 `json:"met"`      // jobs that finished by their deadline
	Missed    float64 `json:"missed"`   // jobs that were admitted and did not
	Rejected  float64 `json:"rejected"` // jobs that were not admitted
	Free      float64 `json:"without_deadline"`
	Failed    float64 `json:"failed"`    // of all jobs, so also counted under Missed or Free
	Cancelled float64 `json:"cancelled"` // likewise; the client had given up
	Harvested float64 `json:"harvested_core_hours"`
	Idle      float64 `json:"idle_core_hours"` // CPU time that the primaries left
	Share     float64 `json:"harvested_share"` // Harvested / Idle
	Attempts  float64 `json:"attempts"`
	Evictions float64 `json:"evictions"`
	WaitP50   float64 `json:"wait_p50_s"` // submission to first task
	WaitP95   float64 `json:"wait_p95_s"`
	LateMean  float64 `json:"late_mean_s"` // over the jobs that were late
	LateMax   float64 `json:"late_max_s"`
	TaskHours float64 `json:"task_hours"`        // time of attempts that were committed
	LostHours float64 `json:"lost_hours"`        // time of all other attempts
	Moving    float64 `json:"mean_moving_job_s"` // mean duration of jobs that move data, from the first task on
	Span      float64 `json:"span_s"`            // virtual time of the run
	Events    float64 `json:"events"`
	Wall      float64 `json:"wall_s"` // real time of the run
}

// all returns pointers to all figures, in a fixed order, so that average can go through them.
func (f *Figures) all() []*float64 {
	return []*float64{
		&f.Jobs, &f.Met, &f.Missed, &f.Rejected, &f.Free, &f.Failed, &f.Cancelled, &f.Harvested, &f.Idle, &f.Share,
		&f.Attempts, &f.Evictions, &f.WaitP50, &f.WaitP95, &f.LateMean, &f.LateMax, &f.TaskHours, &f.LostHours,
		&f.Moving, &f.Span, &f.Events, &f.Wall,
	}
}

// average returns the mean of each figure over the runs.
func average(runs []*Figures) (mean Figures) {
	for _, run := range runs {
		for i, v := range run.all() {
			*mean.all()[i] += *v / float64(len(runs))
		}
	}
	return mean
}

// newFigures counts the outcomes of a run.
func newFigures(r *sim.Result) *Figures {
	f := &Figures{
		Jobs: float64(len(r.Jobs)), Harvested: r.Harvested / 3600, Idle: r.Idle / 3600,
		Attempts: float64(len(r.Runs)), Span: r.End.Seconds(), Events: float64(r.Events),
	}
	if r.Idle > 0 {
		f.Share = r.Harvested / r.Idle
	}
	f.jobs(r)
	f.attempts(r)
	waits := waits(r)
	f.WaitP50, f.WaitP95 = quantile(waits, 0.5), quantile(waits, 0.95)
	return f
}

func (f *Figures) jobs(r *sim.Result) {
	late := 0.0
	for i := range r.Jobs {
		j := &r.Jobs[i]
		*f.fate(j, r.End)++
		switch j.State {
		case stateFailed:
			f.Failed++
		case stateCancelled:
			f.Cancelled++
		}
		if d := j.Late(r.End).Seconds(); d > 0 && j.State != stateRejected {
			late++
			f.LateMean += (d - f.LateMean) / late
			f.LateMax = max(f.LateMax, d)
		}
	}
}

// The ledger's names of the states in which jobs end.
var (
	stateFinished  = ledger.Finished.String()
	stateFailed    = ledger.Failed.String()
	stateCancelled = ledger.Cancelled.String()
	stateRejected  = ledger.Rejected.String()
)

// fate returns the count to which a job belongs: each job counts as one of met, missed, rejected, or without
// a deadline. A job that failed or was cancelled has missed its deadline.
func (f *Figures) fate(j *sim.JobResult, end time.Duration) *float64 {
	switch {
	case j.State == stateRejected:
		return &f.Rejected
	case j.Deadline == 0:
		return &f.Free
	case j.State == stateFinished && j.Late(end) == 0:
		return &f.Met
	}
	return &f.Missed
}

func (f *Figures) attempts(r *sim.Result) {
	for i := range r.Runs {
		run := &r.Runs[i]
		hours := (run.End - run.Start).Hours()
		if run.Outcome == "committed" {
			f.TaskHours += hours
			continue
		}
		f.LostHours += hours
		if run.Outcome == "evicted" {
			f.Evictions++
		}
	}
}

// reasons counts the rejected jobs by the code of their rejection.
func reasons(r *sim.Result) map[string]int {
	codes := map[string]int{}
	for i := range r.Jobs {
		if r.Jobs[i].State == stateRejected {
			codes[r.Jobs[i].Code]++
		}
	}
	return codes
}

// waits returns the seconds from submission to the first task, sorted, for the jobs that had one.
func waits(r *sim.Result) (list []float64) {
	for i := range r.Jobs {
		if j := &r.Jobs[i]; j.Started > 0 {
			list = append(list, (j.Started - j.Submitted).Seconds())
		}
	}
	slices.Sort(list)
	return list
}

// quantile returns a quantile of a sorted list, 0 for an empty one.
func quantile(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[min(int(q*float64(len(list))), len(list)-1)]
}
