package progress

import (
	"slices"
	"time"

	"lull/client/humane"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// View is what is shown of a job.
type View struct {
	Job      string
	Phase    ledger.Phase
	Now      time.Time
	Since    time.Time // submission
	Ended    time.Time // zero while it runs
	Finish   time.Time // predicted; zero while unknown
	Deadline time.Time // zero for none
	Stages   []Stage
	CPU      CPU
	Note     string // why nothing happens, if so

	Totals   subjects.Totals
	Code     string
	Text     string
	By       string    // who cancelled it, or opened it again last; "" if unknown
	Output   string    // folder of the results, "" for none
	Kept     bool      // a finished job's hosts keep files of its tasks
	Empty    bool      // nothing was there to be published into Output
	Earliest time.Time // earliest safe deadline of a rejected job
}

// Stage is one stage's tasks, counted.
type Stage struct {
	Name              string
	Tasks, Done, Held int
	Dead              int // failed, with no retries left
	Evicted, Failed   int // attempts that ended so
	Waits             []string
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
		sum.Evicted += st.Evicted
		sum.Failed += st.Failed
	}
	return sum
}

// CPU is how many cores the hosts' primaries and lull's tasks use.
type CPU struct {
	Hosts              int // that report
	Cores              int
	Primary, Harvested float64
}

// stale is how long a host's last sample counts as what it does now: five
// times the second that a monitor takes.
const stale = 5 * time.Second

// Of makes the View of a job. usage holds each host's last sample.
func Of(s *ledger.State, j *ledger.Job, usage map[string]*subjects.Usage, now time.Time) View {
	v := View{
		Job: j.ID, Phase: j.Phase, Now: now,
		Since: humane.Unix(j.Submitted), Ended: humane.Unix(j.Ended),
		Finish: humane.Unix(j.Finish), Deadline: humane.Unix(j.Deadline), Earliest: humane.Unix(j.Earliest),
		Totals: j.Totals, Code: j.Code, Text: j.Text, By: j.By.By(), Output: j.Spec().Output,
		CPU: cpu(s, usage, now), Note: note(s, j),
	}
	for i := range j.Stages {
		v.Stages = append(v.Stages, stage(j, i))
		v.Kept = v.Kept || j.Phase == ledger.Finished && keeps(s, j, i)
		v.Empty = v.Empty || j.Phase == ledger.Finished && j.Shape.Stages[i].Publish && !fed(s, j, i)
	}
	return v
}

// fed reports whether a stage found any file in what it reads.
func fed(s *ledger.State, j *ledger.Job, stage int) bool {
	return slices.ContainsFunc(j.Shape.Stages[stage].From, func(f spec.From) bool { return keeps(s, j, int(f.Stage)) })
}

func keeps(s *ledger.State, j *ledger.Job, stage int) bool {
	for range s.Outputs(j, stage) {
		return true
	}
	return false
}

func stage(j *ledger.Job, i int) Stage {
	st, spec := j.Stages[i], &j.Shape.Stages[i]
	out := Stage{
		Name: spec.Name, Tasks: st.Len(), Done: st.Done, Held: st.Held, Dead: st.Dead,
		Evicted: int(st.Evicted), Failed: int(st.Failed), State: j.StageState(i),
	}
	if j.Phase.Ended() {
		out.Held = 0 // their hosts have read that it is over
	}
	wait := func(on uint32) {
		if !j.Over(int(on)) {
			out.Waits = append(out.Waits, j.Shape.Stages[on].Name)
		}
	}
	for _, f := range spec.From {
		wait(f.Stage)
	}
	for _, a := range spec.After {
		wait(a)
	}
	return out
}

func cpu(s *ledger.State, usage map[string]*subjects.Usage, now time.Time) (sum CPU) {
	for _, h := range s.Hosts() {
		u := usage[h.Name]
		if h.Gone || u == nil || now.Sub(time.Unix(0, u.At)).Abs() > stale {
			continue
		}
		sum.Hosts++
		sum.Cores += int(u.Cores)
		sum.Primary += u.Primary
		sum.Harvested += u.Batch
	}
	return sum
}

func byWhom(w *ledger.Word) string {
	if w.By() == "" {
		return ""
	}
	return " by " + w.By()
}

// frozen reports whether every host that runs tasks of the job is paused.
func frozen(s *ledger.State, j *ledger.Job) bool {
	for _, h := range s.Hosts() {
		for _, a := range h.Attempts() {
			if a.Job == j && !h.Paused {
				return false
			}
		}
	}
	return true
}

// tried says what a job waits for whose verdict follows from its first tasks.
func tried(j *ledger.Job) string {
	what := "a free slot for its first tasks"
	if j.Held() > 0 {
		what = "its first tasks"
	}
	return "the verdict of admission waits for " + what + ", because nothing is known of how long they take"
}

// note says why nothing happens, if so.
func note(s *ledger.State, j *ledger.Job) string {
	up, open := 0, 0
	for _, h := range s.Hosts() {
		if !h.Gone {
			up++
		}
		if h.Open() {
			open++
		}
	}
	switch {
	case j.Phase.Ended():
		return ""
	case j.Phase == ledger.Trying:
		return tried(j)
	case j.Phase == ledger.Submitted:
		return "waiting for the verdict of admission"
	case s.Paused:
		return "the pool is paused" + byWhom(s.PausedBy) + ": lull resume --all goes on"
	case j.Held() > 0 && frozen(s, j):
		return "every host that runs it is paused: lull resume HOST goes on, lull hosts shows which"
	case j.Held() > 0:
		return ""
	case up == 0:
		return "no host is up: start one with lull agent"
	case open == 0:
		return "every host is paused or draining: see lull hosts"
	}
	return queued(s, j)
}
