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
	// stale is how old a host's usage may be.
	stale = 10 * time.Second
	// settle is how long after the first usage the placer waits for that of other hosts: they send it
	// once a second.
	settle = 1200 * time.Millisecond
	// rest is how long a job waits whose placement the log did not take.
	rest = 10 * time.Second
	// ahead is how long what a job was promised counts before its first task: later it may wait for
	// long, and move nothing.
	ahead = 10 * time.Second
	tick  = time.Second
)

// Actor is the pure half of the service.
type Actor struct {
	cfg   Config
	state *ledger.State
	hears hears
	now   time.Time // of the last step
	shown shown

	// What follows is of this leader's own, and not in snapshots.
	curves *tct.Curves
	leader string // the instance that opened the last term
	busy   bool   // an action is with the shell
	found  *subjects.Placed
	later  map[string]time.Time // jobs whose placement the log did not take
	plans  plans
}

// New returns the placer of an empty log.
func New(cfg Config) *Actor {
	cfg.Worth, cfg.Gain = cmp.Or(cfg.Worth, 0.05), cmp.Or(cfg.Gain, 0.1)
	a := &Actor{cfg: cfg, hears: newHears()}
	a.reset(ledger.New())
	return a
}

func (a *Actor) reset(state *ledger.State) {
	a.state, a.leader, a.shown = state, "", shown{}
	a.forget()
}

// forget drops what belongs to a leader, when another instance begins to lead.
func (a *Actor) forget() {
	a.curves, a.busy, a.found, a.later, a.plans = tct.NewCurves(), false, nil, map[string]time.Time{}, plans{}
}

// State is the ledger as folded so far, to read.
func (a *Actor) State() *ledger.State { return a.state }

// Search is the action that chooses hosts for a job, or for a document that was not submitted.
type Search struct {
	Job      string // "" for a document
	Question choice.Question
	Known    uint64 // last entry of the log that it knows of
	Anew     string
	Unfit    int // types of jobs that are placed no more, because predictions for them were too far off
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

// Perform makes the choice of an action.
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
		a.hears.add(in.Now, in.Sample, a.state)
	case in.Refused != nil:
		a.drop(in.Now, in.Refused.Event)
	case in.Report != nil:
		a.report(in.Report)
	}
	if in.Term == 0 {
		return out
	}
	out.Wake = in.Now.Add(tick)
	if at := a.hears.first.Add(settle); in.Now.Before(at) && at.Before(out.Wake) {
		out.Wake = at
	}
	if !in.Decide {
		return out
	}
	if a.found != nil {
		out.Events = []subjects.Event{a.found}
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
		a.shown.note(entry.Time, a.state, e)
	}
	change := a.state.Apply(entry.Seq, entry.Time, entry.Event)
	switch e := entry.Event.(type) {
	case *subjects.Placed:
		switch {
		case change.Outcome == ledger.Void:
			a.drop(now, e)
		case a.found != nil && a.found.Job == e.Job:
			a.found = nil
		}
	case *subjects.Finished:
		a.shown.over(now, a.state, &a.hears, e)
	case *subjects.Wired:
		a.shown.uplinks = uplink.Links{} // it may be about other links
	case *subjects.Fitted:
		a.curves.Forget(e.Type)
	case *subjects.Joined:
		if len(a.hears.hosts) > len(a.state.Hosts()) {
			a.hears.forget(a.state)
		}
	case *subjects.Led:
		if e.Actor == Name && e.Instance != a.leader {
			a.forget()
			a.leader = e.Instance
		}
	}
}

// drop gives up a placement that the log does not take.
func (a *Actor) drop(now time.Time, e subjects.Event) {
	if e, ok := e.(*subjects.Placed); ok && a.found != nil && a.found.Job == e.Job {
		a.found = nil
		a.later[e.Job] = now.Add(rest)
	}
}

func (a *Actor) report(report any) {
	r, ok := report.(Searched)
	if !ok {
		return
	}
	a.busy = false
	switch {
	case r.plan != "":
		a.plans.answer(a, &r)
	case a.wants(a.state.Job(r.Job)) == r.Anew && a.state.Job(r.Job) != nil && a.open(a.state.Job(r.Job)):
		a.found = a.placed(&r)
	}
}

// decide looks for a job to place, and else for a plan to make.
func (a *Actor) decide(now time.Time, out *actors.Output) {
	if a.state.Network == nil || !a.hears.settled(now) {
		return
	}
	if j := a.next(now); j != nil {
		a.search(now, j, a.look(now), out)
		return
	}
	if action, ok := a.plans.next(a, now); ok {
		a.busy = true
		out.Actions = []actors.Action{action}
	}
}

// next returns the first job to place, nil if there is none or the pool is paused.
func (a *Actor) next(now time.Time) *ledger.Job {
	if a.state.Paused {
		return nil
	}
	for j := range a.state.LiveJobs().All() {
		if a.open(j) && !now.Before(a.later[j.ID]) {
			return j
		}
	}
	return nil
}

// look takes a snapshot of the pool.
func (a *Actor) look(now time.Time) *picture.Pool {
	counts := func(rack string, up bool, declared float64) float64 {
		rate, _ := a.shown.uplinks.Rate(uplink.Link{Rack: rack, Up: up}, declared, now)
		return rate
	}
	return picture.Look(a.state, func(name string) (picture.Host, bool) { return a.hears.of(now, name) }, counts)
}

// open reports whether a word on the job's place is to be said.
func (a *Actor) open(j *ledger.Job) bool {
	if j == nil || j.Phase != ledger.Admitted || !j.Shape.Placeable() || a.state.Network == nil {
		return false
	}
	if j.Placement == nil {
		return j.Untried()
	}
	return a.state.GoneOf(j.Placement) > 0
}

// wants is why the job is to be placed again, "" for the first time.
func (a *Actor) wants(j *ledger.Job) string {
	if j != nil && j.Placement != nil {
		return subjects.PlacedLost
	}
	return ""
}

// search begins a search, or says at once why there is none.
func (a *Actor) search(now time.Time, j *ledger.Job, pool *picture.Pool, out *actors.Output) {
	job := picture.Job{Shape: j.Shape, Life: j}
	app, known := picture.Application(a.state, picture.Times{Curves: a.curves, Overhead: a.shown.overheads.Of}, job, pool.Index)
	s := Search{Job: j.ID, Known: a.state.Seq, Anew: a.wants(j), Unfit: a.unfit(), pool: pool}
	offer := pool.For(a.state, picture.NeedsOf(job), a.promised(now, pool, j))
	s.Question = question(app, offer, j.Shape.Place, j.Seq)
	switch {
	case !known || len(app.Stages) == 0:
		a.found = unplaced(&s, subjects.PlacedUnknown)
	case offer.Free == 0 && offer.Room > 0 && !asked(j.Shape) && s.Anew == "":
		a.found = unplaced(&s, subjects.PlacedGain)
	default:
		a.busy = true
		out.Actions = []actors.Action{s}
		return
	}
	out.Events = []subjects.Event{a.found}
}

// unfit counts the types of jobs that are placed no more.
func (a *Actor) unfit() (n int) {
	for _, of := range a.state.Accuracies() {
		if !of.Fits() {
			n++
		}
	}
	return n
}

// promised is what other placed jobs are predicted to move.
func (a *Actor) promised(now time.Time, pool *picture.Pool, but *ledger.Job) (all []promise) {
	for j := range a.state.LiveJobs().All() {
		p := j.Placement
		if p == nil || j == but || len(p.Links) == 0 || p.Began == 0 && now.Sub(time.Unix(0, p.At)) > ahead {
			continue
		}
		all = append(all, picture.PromiseOf(pool.Tree, p.Links))
	}
	return all
}
