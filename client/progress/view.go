package progress

import (
	"time"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

// View is what is shown of a job.
type View struct {
	Job      string
	Phase    ledger.Phase
	Now      time.Time
	Since    time.Time // submission
	Ended    time.Time // zero while it runs
	Finish   time.Time // predicted; zero while unknown
	Guessed  bool      // Finish is a guess
	Deadline time.Time // zero for none
	Promise  Promise   // of admission, of a job that has ended
	Stages   []Stage
	CPU      subjects.CPUSum
	Note     string // why nothing happens, if so

	Totals   subjects.Totals
	Code     string
	Text     string
	By       string    // the user that cancelled it, or opened it again last; "" if unknown
	Output   string    // folder of the results, "" for none
	Kept     bool      // a finished job's hosts keep files of its tasks
	Empty    bool      // nothing was there to be published into Output
	Earliest time.Time // earliest safe deadline of a rejected job
}

// Basis is what the time at which a job is to finish rests on, in one word.
func (v View) Basis() string {
	if v.Guessed {
		return "guessed"
	}
	return "predicted"
}

// Stage is one stage's tasks, counted.
type Stage struct {
	Name              string
	Tasks, Done, Held int
	Dead              int // failed, with no retries left
	Cancelled         int // by a user
	Evicted, Failed   int // attempts that ended so
	WaitsFor          []string
	State             ledger.StageState
}

// Whole sums the stages up. Tasks that do not run are left out.
func (v View) Whole() (sum Stage) {
	for _, st := range v.Stages {
		if st.State == ledger.StageSkipped {
			sum.Tasks += st.Done
		} else {
			sum.Tasks += st.Tasks
		}
		sum.Done += st.Done
		sum.Held += st.Held
		sum.Dead += st.Dead
		sum.Cancelled += st.Cancelled
		sum.Evicted += st.Evicted
		sum.Failed += st.Failed
	}
	return sum
}

// Of makes the View of a job. usage holds each host's last sample.
func Of(s *ledger.State, j *ledger.Job, usage map[string]*subjects.Usage, now time.Time) View {
	var cpu subjects.CPUSum
	for _, h := range s.Hosts() {
		if u := usage[h.Name]; u != nil && !h.Gone && u.Fresh(now.UnixNano()) {
			cpu.Add(u)
		}
	}
	return From(page.Detail(s, j, cpu), now)
}

// From makes the View of what a slotter answers of a job.
func From(d *subjects.JobDetail, now time.Time) View {
	phase, _ := ledger.PhaseOf(d.State)
	v := View{
		Job: d.Job, Phase: phase, Now: now,
		Since: humane.Unix(d.Submitted), Ended: humane.Unix(d.Ended),
		Finish: humane.Unix(d.Finish), Deadline: humane.Unix(d.Deadline), Earliest: humane.Unix(d.Earliest),
		Totals: d.Totals, Code: d.Code, Text: d.Text, By: d.By.By(), Output: d.Output, Kept: d.Kept, Empty: d.Empty, Guessed: d.Guessed,
		CPU: d.Pool.CPU, Note: phaseNote(d, phase, now),
	}
	for i := range d.Stages {
		v.Stages = append(v.Stages, stage(&d.Stages[i]))
	}
	return v
}

func stage(l *subjects.StageLine) Stage {
	state, _ := ledger.StageStateOf(l.State)
	return Stage{
		Name: l.Name, Tasks: int(l.Tasks), Done: int(l.Done), Held: int(l.Running), Dead: int(l.Dead - min(l.Cancelled, l.Dead)), Cancelled: int(l.Cancelled),
		Evicted: int(l.Evicted), Failed: int(l.Failed), State: state, WaitsFor: l.WaitsFor,
	}
}
