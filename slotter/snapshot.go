package slotter

import (
	"fmt"

	"lull/actors"
	"lull/slotter/absence"
	"lull/slotter/assigning"
	"lull/slotter/backlog"
	"lull/slotter/datanode"
	"lull/slotter/endings"
	"lull/slotter/facts"
	"lull/slotter/learning"
	"lull/slotter/liveness"
	"lull/slotter/places"
	"lull/slotter/placing"
	"lull/slotter/policy"
	"lull/slotter/preemption"
	"lull/slotter/queues"
	"lull/slotter/reconcile"
	"lull/slotter/supply"
	"lull/slotter/tenants"
	"lull/slotter/tracking"
	"lull/slotter/waitlist"
	"lull/subjects/ledger"
	"lull/subjects/section"
)

// Section is the slotter's own section of a snapshot, beside the ledger's.
var Section = section.Kind{Name: Name, Version: ownVersion, Ways: section.Ways{3: nil, 4: nil}}

// ownVersion is the version of own. Raise it once in a release in which own changes.
const ownVersion = 5

// own is what a snapshot keeps beside the ledger. Telemetry is not in it: a
// new leader waits for fresh one.
type own struct {
	Led       int64                `msgpack:"led"`
	Lessons   learning.Lessons     `msgpack:"lessons"`
	Fetches   learning.Fetches     `msgpack:"fetches,omitempty"` // of the pool's latest tasks
	Faults    []endings.Form       `msgpack:"faults"`            // by job
	DataNodes []datanode.Learnt    `msgpack:"sources,omitempty"` // by name
	Served    []int64              `msgpack:"served"`            // of the live jobs, by submission
	Carried   []tracking.Carried   `msgpack:"carried"`           // host by host, by attempt
	Outlook   []supply.Outlook     `msgpack:"outlook"`           // of the hosts, by name
	Queues    *queues.Snapshot     `msgpack:"queues,omitempty"`  // of the queues with live jobs, by name
	Making    preemption.Form      `msgpack:"making"`            // queues that make way for others
	Absent    []absence.Form       `msgpack:"absent,omitempty"`  // commands, by job
	Steerer   *tenants.SteererForm `msgpack:"steerer,omitempty"`
}

// Snapshot returns the actor's state. ledger.Unpack extracts the ledger from it.
func (a *Actor) Snapshot() ([]byte, error) {
	form := own{
		Led: a.facts.Led, Lessons: a.models.Lessons(), Fetches: a.models.Fetches(), Faults: a.endings.Save(),
		DataNodes: a.facts.DataNodes.Save(), Carried: a.tracker.Save(), Queues: a.facts.Queues.Save(),
		Making: a.preemption.Save(), Absent: a.facts.Absent.Save(), Steerer: a.steerer.Save(),
	}
	for life, j := range a.facts.Live() {
		served := life.Admitted
		if j != nil {
			served = j.Served
		}
		form.Served = append(form.Served, served)
	}
	for _, h := range a.facts.Hosts.ByName {
		form.Outlook = append(form.Outlook, h.Outlook)
	}
	return a.facts.Ledger.PackWith(Section, &form)
}

// Restore replaces the state by a snapshot's.
func (a *Actor) Restore(b []byte) error {
	var form own
	state, err := ledger.UnpackWith(b, Section, &form)
	if err != nil {
		return fmt.Errorf("slotter snapshot: %w", err)
	}
	a.reset(a.facts.Config, state)
	return a.load(&form)
}

// reset makes the actor one that has folded state and received no telemetry yet.
func (a *Actor) reset(cfg Config, state *ledger.State) {
	f := facts.New(cfg, state)
	*a = Actor{
		facts: f, liveness: liveness.New(f), endings: endings.New(f), reconciler: reconcile.New(f), placing: placing.New(f),
		backlog: backlog.New(f), tracker: tracking.New(f), models: new(learning.Models), steerer: tenants.NewSteerer(f),
	}
	a.pacer = tracking.NewPacer(a.tracker)
	v := policy.New(f, waitlist.New(f, a.models, a.placing), places.New(f, a.steerer.StayOdds), a.backlog.FarSeconds)
	a.preemption = preemption.New(v, a.pacer)
	a.assigner = assigning.New(v, a.tracker, a.preemption)
	for _, life := range state.Hosts() {
		a.facts.Hosts.Touch(a.facts.Hosts.Get(life))
		a.backlog.Recount(life.Name)
	}
	a.steerer.SortHosts()
	for j := range state.LiveJobs().All() {
		if j.Live() {
			a.backlog.Open(j)
			if len(j.Paces()) > 0 {
				a.pacer.NoteHeld()
			}
		}
	}
	a.pacer.NoteChange()
}

// load takes over what a snapshot kept beside the ledger.
func (a *Actor) load(form *own) error {
	a.facts.Led = form.Led
	if err := a.models.Load(form.Lessons, form.Fetches); err != nil {
		return fmt.Errorf("slotter snapshot: %w", err)
	}
	n := 0
	for _, j := range a.facts.Live() {
		if n < len(form.Served) && j != nil {
			j.Served = form.Served[n]
		}
		n++
	}
	if len(form.Served) != n {
		return fmt.Errorf("slotter snapshot: it says of %d of %d live jobs when they were last given a slot", len(form.Served), n)
	}
	if err := a.loadOutlooks(form.Outlook); err != nil {
		return err
	}
	if err := a.tracker.Load(form.Carried); err != nil {
		return err
	}
	a.endings.Load(form.Faults)
	a.facts.Absent.Load(form.Absent)
	a.steerer.Load(form.Steerer)
	a.facts.Queues.Load(form.Queues)
	if err := a.preemption.Load(&form.Making); err != nil {
		return err
	}
	if err := a.facts.DataNodes.Load(form.DataNodes); err != nil {
		return fmt.Errorf("slotter snapshot: %w", err)
	}
	return nil
}

// setTime sets the time. If it goes back because it was wrong, the actor drops every
// time that it noted itself and begins anew with the state that it has folded.
func (a *Actor) setTime(now int64) {
	back := actors.Rewound(a.facts.Now, now)
	a.facts.Now = now
	if !back {
		return
	}
	if state, err := a.Snapshot(); err == nil {
		_ = a.Restore(state) // its own bytes, which it can read
	}
	a.facts.Now, a.facts.Led = now, now // like a new leader, it waits for telemetry before it judges hosts
	a.preemption.ForgetTimes()
	for _, j := range a.facts.Live() {
		if j != nil {
			j.Served = min(j.Served, now)
		}
	}
}

// loadOutlooks takes over what a snapshot kept, of the hosts by name.
func (a *Actor) loadOutlooks(all []supply.Outlook) error {
	if len(all) != len(a.facts.Hosts.ByName) {
		return fmt.Errorf("slotter snapshot: it has the idle cores of %d of %d hosts", len(all), len(a.facts.Hosts.ByName))
	}
	for i, h := range a.facts.Hosts.ByName {
		h.Outlook = all[i]
	}
	return nil
}
