package ledger

import (
	"math/rand/v2"
	"slices"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/spec"
)

// world feeds a State with events that are mostly plausible, because arbitrary events never get
// beyond the first check. Its random numbers come from a seed: those of rapid lean to small values,
// and its runs stay short.
type world struct {
	t   *rapid.T
	rng *rand.Rand
	s   *State
	seq uint64
	now int64
	log []subjects.Event
}

var (
	jobIDs    = []string{"a", "b", "c", "nobody"}
	hostNames = []string{"x", "y", "z", "nowhere"}
)

// newWorld has hosts and jobs that run.
func newWorld(t *rapid.T) *world {
	w := &world{t: t, s: New(), now: 1, rng: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
	for _, name := range hostNames[:3] {
		w.seq++
		w.apply(&subjects.Joined{Host: name, Slots: 4, Ahead: 2, Cores: 4, Memory: 12, Labels: []string{"zone=1"}})
	}
	for _, id := range jobIDs[:2] {
		w.seq++
		w.apply(&subjects.Submitted{Job: id, Spec: w.spec()})
		w.seq++
		w.apply(&subjects.Admitted{Job: id})
	}
	return w
}

func (w *world) n(low, high int) int { return low + w.rng.IntN(high-low+1) }

func (w *world) one(of []string) string { return of[w.rng.IntN(len(of))] }

func (w *world) chance(percent int) bool { return w.n(0, 99) < percent }

// next draws an event.
func (w *world) next() subjects.Event {
	if len(w.log) > 0 && w.chance(8) {
		return w.log[w.n(0, len(w.log)-1)]
	}
	switch kind := w.n(0, 99); {
	case kind < 30:
		return w.assigned()
	case kind < 65:
		return w.report()
	case kind < 75:
		return w.ofHost()
	case kind < 93:
		return w.ofJob()
	case kind < 96:
		return w.outputLost()
	}
	return w.ofPool()
}

func (w *world) job() string  { return w.one(jobIDs) }
func (w *world) host() string { return w.one(hostNames[:3]) }

// term is usually the host's.
func (w *world) term(name string) uint64 {
	h := w.s.hosts[name]
	if h == nil || w.chance(5) {
		return uint64(w.n(0, int(w.seq)+2))
	}
	return h.Term
}

// assigned is usually of a task that waits, to slots that are free.
func (w *world) assigned() subjects.Event {
	e := &subjects.Assigned{Job: w.job(), Host: w.host(), Width: 1, Try: 1}
	e.Term = w.term(e.Host)
	e.TaskID = w.taskOf(e.Job)
	e.Slot = uint32(w.n(0, 7))
	j := w.s.jobs[e.Job]
	if j == nil || int(e.Stage) >= len(j.Stages) || w.chance(10) {
		return e
	}
	e.Width = j.Shape.Stages[e.Stage].CPU
	if !w.chance(20) {
		e.Part = j.Shape.Stages[e.Stage].Part
	}
	e.Rival = w.chance(30)
	if h := w.s.hosts[e.Host]; h != nil {
		for slot := range uint32(len(h.places)) {
			if h.Free(slot, e.Width, e.Part) {
				e.Slot = slot
			}
		}
	}
	if e.Rival {
		e.Task = w.held(j.Stages[e.Stage], e.Task)
		return e
	}
	var c Cursor
	if task, ok := j.Stages[e.Stage].Next(w.now, &c); ok {
		e.Task = task
	}
	return e
}

// held is the first task that is held from a random one on.
func (w *world) held(st *Stage, from uint32) uint32 {
	for i := range st.tasks {
		if k := (int(from) + i) % st.Len(); st.state(uint32(k)) == Held {
			return uint32(k)
		}
	}
	return from
}

func (w *world) taskOf(job string) subjects.TaskID {
	id := subjects.TaskID{Stage: uint32(w.n(0, 2)), Task: uint32(w.n(0, 7))}
	if j := w.s.jobs[job]; j != nil && len(j.Stages) > 0 {
		id.Stage %= uint32(len(j.Stages))
	}
	return id
}

// report is usually of an attempt that is known, by its host.
func (w *world) report() subjects.Event {
	f := subjects.Fact{Attempt: uint64(w.n(0, int(w.seq)+2))}
	host, job := w.host(), w.job()
	if ids := w.known(); len(ids) > 0 && !w.chance(5) {
		a := w.s.attempts.find(ids[w.rng.IntN(len(ids))])
		f = subjects.Fact{TaskID: a.Task, Attempt: a.ID}
		host, job = a.Host.Name, a.Job.ID
	}
	f.Term = w.term(host)
	run := subjects.Run{Seconds: 1, CPU: 1, Residual: 1}
	switch w.n(0, 7) {
	case 0, 1:
		return &subjects.Started{Host: host, Job: job, Fact: f}
	case 2, 3:
		return &subjects.Finished{Host: host, Job: job, Fact: f, Run: run, Manifest: subjects.Digest{1}}
	case 4:
		return &subjects.Failed{Host: host, Job: job, Fact: f, Run: run, Reason: "exit", Exit: 1}
	case 5:
		return &subjects.Evicted{Host: host, Job: job, Fact: f, Run: run}
	case 6:
		return &subjects.Declined{Host: host, Job: job, Fact: f}
	}
	return &subjects.Revoked{Host: host, Job: job, Attempt: f.Attempt}
}

func (w *world) known() []uint64 {
	var ids []uint64
	for id := range w.s.attempts.all() {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (w *world) ofHost() subjects.Event {
	host := w.one(hostNames)
	term := w.term(host)
	switch w.n(0, 8) {
	case 0, 1, 2:
		return &subjects.Joined{
			Host: host, Slots: uint32(w.n(0, 5)), Ahead: uint32(w.n(0, 3)), Cores: 4,
			Memory: int64(w.n(0, 12)), Labels: []string{"zone=" + w.one([]string{"1", "2"})},
		}
	case 3:
		return &subjects.Left{Host: host, Term: term}
	case 4, 5:
		return &subjects.Lost{Host: host, Term: term}
	case 6:
		return &subjects.Paused{Host: host}
	case 7:
		return &subjects.Drained{Host: host}
	}
	return &subjects.Resumed{Host: host}
}

func (w *world) ofJob() subjects.Event {
	job := w.job()
	switch w.n(0, 13) {
	case 0, 1, 2:
		return &subjects.Submitted{Job: job, Spec: w.spec(), Inbox: uint64(w.n(0, 99)), At: w.now}
	case 3, 4, 5:
		return &subjects.Admitted{Job: job, Finish: w.now}
	case 6:
		return &subjects.Rejected{Job: job, Name: "job", Code: subjects.ReasonDeadline}
	case 7:
		return &subjects.Endangered{Job: job, Slack: float64(w.n(-1, 1))}
	case 8:
		return &subjects.Cancelled{Job: job}
	case 9, 10, 11:
		return &subjects.Retried{Job: job}
	case 12:
		if w.chance(30) {
			return &subjects.StageFailed{Job: job, Stage: uint32(w.n(0, 3)), Code: subjects.ReasonNotFound}
		}
		return &subjects.JobFinished{Job: job}
	}
	return &subjects.JobFailed{Job: job, Code: "exit"}
}

func (w *world) spec() spec.Job {
	first := spec.Stage{
		Name: "one", Argv: []string{"true"}, Tasks: uint32(w.n(1, 6)), CPU: uint32(w.n(1, 2)), Part: uint32(max(w.n(-4, 3), 0)) * 250,
		Memory: int64(w.n(1, 4)), Retries: uint32(w.n(0, 2)), Backoff: time.Duration(w.n(0, 3)),
	}
	if w.chance(30) {
		first.Where = []string{"zone=1"}
	}
	second := spec.Stage{Name: "two", Argv: []string{"true"}, Tasks: 2, CPU: 1, Memory: 1, From: []spec.From{{Stage: 0}}}
	job := spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{first, second}}
	if w.chance(50) {
		w.outcomes(&job)
	}
	return job
}

// outcomes makes stages fail, and others run because of that.
func (w *world) outcomes(job *spec.Job) {
	job.Stages = append(job.Stages, spec.Stage{Name: "three", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1, After: []uint32{0, 1}})
	for i := range job.Stages {
		st := &job.Stages[i]
		st.Outcome = spec.Outcome{MaxFailures: uint32(w.n(0, int(st.Tasks))), KeepGoing: w.chance(30), AllowFailure: w.chance(30)}
		if i > 0 {
			st.When = w.one([]string{spec.WhenSuccess, spec.WhenFailure, spec.WhenAlways})
		}
	}
}

func (w *world) outputLost() subjects.Event {
	job := w.job()
	if w.chance(60) {
		return w.outputMissing(job)
	}
	return &subjects.OutputLost{Host: w.host(), Job: job, Stage: w.taskOf(job).Stage, Tasks: []uint32{0, 1, 2, 9}}
}

// outputMissing is usually of an output that was committed.
func (w *world) outputMissing(job string) subjects.Event {
	e := &subjects.OutputMissing{Job: job, Host: w.host(), Fact: subjects.Fact{TaskID: w.taskOf(job), Attempt: uint64(w.n(0, int(w.seq)+2))}}
	if j := w.s.jobs[job]; j != nil && int(e.Stage) < len(j.Stages) {
		for kept := range w.s.Outputs(j, int(e.Stage)) {
			e.Task, e.Attempt, e.Host = kept.Task, kept.Attempt, kept.Host.Name
			if w.chance(50) {
				break
			}
		}
	}
	e.Term = w.term(e.Host)
	return e
}

func (w *world) ofPool() subjects.Event {
	switch w.n(0, 9) {
	case 8, 9:
		return w.harmed()
	case 5:
		return &subjects.Shared{Queue: w.one([]string{"a", "b", "c"}), Weight: float64(w.n(0, 2)), Jobs: uint32(w.n(0, 1))}
	case 6:
		return w.paced()
	case 7:
		return w.identified()
	case 0:
		return &subjects.PoolPaused{}
	case 1, 2:
		return &subjects.PoolResumed{}
	case 3:
		return &subjects.Led{Actor: "slotter", Partition: "all"}
	}
	return &subjects.Fitted{Type: "job", A: 1}
}

func (w *world) paced() subjects.Event {
	e := &subjects.Paced{Host: w.host(), Job: w.job(), Share: 0.5, Why: "share"}
	e.Term = w.term(e.Host)
	for stage := range uint32(w.n(0, 3)) {
		e.Rates = append(e.Rates, subjects.Rate{Stage: stage, Rate: float64(w.n(0, 2))})
	}
	return e
}

// harmed is now and then an interval that overlaps the last one.
func (w *world) harmed() subjects.Event {
	e := &subjects.Harmed{Host: w.host(), Tenant: w.one([]string{"", "shop", "mail"}), From: w.now - int64(w.n(0, 3)), Harvested: 2, Primary: 1}
	e.Term, e.To = w.term(e.Host), e.From+int64(w.n(0, 3))
	if w.chance(70) {
		e.Sensor, e.Delay, e.Budget = "eBPF", 0.5, 0.25
	}
	return e
}

func (w *world) identified() subjects.Event {
	e := &subjects.Identified{Host: w.host(), Job: w.job(), A: float64(w.n(-1, 4)) / 4, B: float64(w.n(0, 3)), R2: 0.9}
	e.TaskID, e.Term = w.taskOf(e.Job), w.term(e.Host)
	if w.chance(20) {
		e.Refused = "noise"
	}
	return e
}
