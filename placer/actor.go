package placer

import (
	"cmp"
	"time"

	"lull/actors"
	"lull/placer/choice"
	"lull/placer/picture"
	"lull/placer/uplink"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Name of the actor.
const Name = "placer"

// Config of a placer.
type Config struct {
	// Worth is the share of a job's time that moving data must take for the job to be placed without
	// having asked for it. Defaults to 0.05.
	Worth float64
	// Gain is the share of its time that its hosts must be predicted to save the job, against one that runs
	// anywhere. Defaults to 0.1.
	Gain float64
}

const (
	// maxAge is how old a host's usage may be.
	maxAge = 10 * time.Second
	// settleTime is how long after the first usage the placer waits for the usage of other hosts: each
	// sends it once a second.
	settleTime = 1200 * time.Millisecond
	// retryPause is how long a job waits after the log did not accept its placement.
	retryPause = 10 * time.Second
	// promiseAge is how long a placement counts on the links before the job's first task. A job that
	// has not begun by then may wait for long, and moves nothing.
	promiseAge = 10 * time.Second
	tick       = time.Second
	// fewCurves is how many curves are kept besides those that open jobs may have.
	fewCurves = 64
)

// Actor is the pure half of the service.
type Actor struct {
	cfg      Config
	state    *ledger.State
	usages   usages
	now      time.Time // of the last step
	observed observed

	// The rest belongs to this leader and is not in snapshots.
	curves    *tct.Curves
	leader    string // the instance that opened the last term
	busy      bool   // an action is with the shell
	pending   *subjects.Placed
	notBefore map[string]time.Time // jobs whose placement the log did not accept, and when to try again
	plans     plans
}

// New returns the placer of an empty log.
func New(cfg Config) *Actor {
	cfg.Worth, cfg.Gain = cmp.Or(cfg.Worth, 0.05), cmp.Or(cfg.Gain, 0.1)
	a := &Actor{cfg: cfg, usages: newUsages()}
	a.reset(ledger.New())
	return a
}

func (a *Actor) reset(state *ledger.State) {
	a.state, a.leader, a.observed = state, "", observed{}
	a.forget()
}

// forget drops what belongs to a leader, when another instance begins to lead.
func (a *Actor) forget() {
	a.curves, a.busy, a.pending, a.notBefore, a.plans = tct.NewCurves(), false, nil, map[string]time.Time{}, plans{}
}

// State is the ledger as folded so far, to read.
func (a *Actor) State() *ledger.State { return a.state }

// Search is the action that chooses hosts for a job, or for a document that was not submitted.
type Search struct {
	Job      string // "" for a document
	Question choice.Question
	AsOf     uint64 // last entry of the log that it knows of
	Anew     string
	Unfit    int // types of jobs that are no longer placed, because predictions for them were too far off
	pool     *picture.Pool
	plan     string // id of the request for a plan
	shape    *spec.Job
}

// Searched reports a Search.
type Searched struct {
	Search
	Answer choice.Answer
	Err    error
}

// LeftOut is how many hosts the search left out.
func (s *Search) LeftOut() int { return len(s.pool.Out) }

// Perform carries out a Search.
func Perform(s Search, run choice.Runner) Searched {
	answer, err := choice.Make(s.Question, run)
	return Searched{Search: s, Answer: answer, Err: err}
}

// Step folds one input and decides.
func (a *Actor) Step(in actors.Input) (out actors.Output) {
	a.now = in.Now
	switch {
	case in.Entry != nil:
		a.fold(in.Now, in.Entry)
	case in.Sample != nil:
		a.usages.add(in.Now, in.Sample, a.state)
	case in.Refused != nil:
		a.dropPending(in.Now, in.Refused.Event)
	case in.Report != nil:
		a.foldReport(in.Report)
	}
	if in.Term == 0 {
		return out
	}
	out.Wake = in.Now.Add(tick)
	if at := a.usages.first.Add(settleTime); in.Now.Before(at) && at.Before(out.Wake) {
		out.Wake = at
	}
	if !in.Decide {
		return out
	}
	if a.pending != nil {
		out.Events = []subjects.Event{a.pending}
		return out
	}
	if !a.busy {
		a.decide(in.Now, &out)
	}
	return out
}

// fold applies an entry.
func (a *Actor) fold(now time.Time, entry *actors.Entry) {
	if e, ok := entry.Event.(*subjects.Finished); ok {
		a.observed.note(entry.Time, a.state, e)
	}
	change := a.state.Apply(entry.Seq, entry.Time, entry.Event)
	if j := change.Job; j != nil && j.Phase.Ended() {
		delete(a.notBefore, j.ID)
	}
	switch e := entry.Event.(type) {
	case *subjects.Placed:
		switch {
		case change.Outcome == ledger.Void:
			a.dropPending(now, e)
		case a.pending != nil && a.pending.Job == e.Job:
			a.pending = nil
		}
	case *subjects.Finished:
		a.observed.judgeStage(now, a.state, &a.usages, e)
	case *subjects.Wired:
		a.observed.uplinks = uplink.Links{} // it may be about other links
	case *subjects.Fitted:
		a.curves.Forget(e.Type)
	case *subjects.Joined:
		if len(a.usages.hosts) > len(a.state.Hosts()) {
			a.usages.forget(a.state)
		}
	case *subjects.Led:
		if e.Actor == Name && e.Instance != a.leader {
			a.forget()
			a.leader = e.Instance
		}
	}
}

// dropPending gives up a placement that the log does not accept.
func (a *Actor) dropPending(now time.Time, e subjects.Event) {
	if e, ok := e.(*subjects.Placed); ok && a.pending != nil && a.pending.Job == e.Job {
		a.pending = nil
		a.notBefore[e.Job] = now.Add(retryPause)
	}
}

func (a *Actor) foldReport(report any) {
	r, ok := report.(Searched)
	if !ok {
		return
	}
	a.busy = false
	switch {
	case r.plan != "":
		a.plans.setReply(a, &r)
	case a.whyAnew(a.state.Job(r.Job)) == r.Anew && a.state.Job(r.Job) != nil && a.needsPlacing(a.state.Job(r.Job)):
		a.pending = a.placedEvent(&r)
	}
}

// decide begins a search for a job to place or, without one, for a plan that a client asked for.
func (a *Actor) decide(now time.Time, out *actors.Output) {
	if a.state.Network == nil || !a.usages.complete(now) {
		return
	}
	if a.curves.Len() > fewCurves+8*a.state.LiveJobs().Len() { // of types that no job has any more
		a.curves = tct.NewCurves()
	}
	if j := a.nextJob(now); j != nil {
		a.search(now, j, a.lookAtPool(now), out)
		return
	}
	if action, ok := a.plans.next(a, now); ok {
		a.busy = true
		out.Actions = []actors.Action{action}
	}
}

// nextJob returns the first job to place, nil if there is none or the pool is paused.
func (a *Actor) nextJob(now time.Time) *ledger.Job {
	if a.state.Paused {
		return nil
	}
	for j := range a.state.LiveJobs().All() {
		if a.needsPlacing(j) && !now.Before(a.notBefore[j.ID]) {
			return j
		}
	}
	return nil
}

// lookAtPool returns a snapshot of the pool.
func (a *Actor) lookAtPool(now time.Time) *picture.Pool {
	counts := func(rack string, up bool, declared float64) float64 {
		rate, _ := a.observed.uplinks.Rate(uplink.Link{Rack: rack, Up: up}, declared, now)
		return rate
	}
	return picture.Look(a.state, func(name string) (picture.Host, bool) { return a.usages.of(now, name) }, counts)
}

// needsPlacing reports whether the job lacks a placement, or has lost hosts of its placement.
func (a *Actor) needsPlacing(j *ledger.Job) bool {
	if j == nil || j.Phase != ledger.Admitted || !j.Shape.Placeable() || a.state.Network == nil {
		return false
	}
	if j.Placement == nil {
		return j.Untried()
	}
	return a.state.GoneOf(j.Placement) > 0
}

// whyAnew returns why the job is to be placed again, "" for the first time.
func (a *Actor) whyAnew(j *ledger.Job) string {
	if j != nil && j.Placement != nil {
		return subjects.PlacedLost
	}
	return ""
}

// search begins a search, or says at once why there is none.
func (a *Actor) search(now time.Time, j *ledger.Job, pool *picture.Pool, out *actors.Output) {
	job := picture.Job{Shape: j.Shape, Life: j}
	app, known := picture.Application(a.state, picture.Times{Curves: a.curves, Overhead: a.observed.overheads.Of}, job, pool.Index)
	s := Search{Job: j.ID, AsOf: a.state.Seq, Anew: a.whyAnew(j), Unfit: a.unfit(), pool: pool}
	offer := pool.For(a.state, picture.NeedsOf(job), a.promised(now, pool, j))
	s.Question = question(app, offer, j.Shape.Place, j.Seq)
	switch {
	case !known || len(app.Stages) == 0:
		a.pending = unplacedEvent(&s, subjects.PlacedUnknown)
	case offer.Free == 0 && offer.Room > 0 && !asksForPlace(j.Shape) && s.Anew == "":
		a.pending = unplacedEvent(&s, subjects.PlacedGain)
	default:
		a.busy = true
		out.Actions = []actors.Action{s}
		return
	}
	out.Events = []subjects.Event{a.pending}
}

// unfit counts the types of jobs that are no longer placed.
func (a *Actor) unfit() (n int) {
	for _, of := range a.state.Accuracies {
		if !of.Fits() {
			n++
		}
	}
	return n
}
