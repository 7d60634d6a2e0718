package slotter

import (
	"fmt"

	"lull/actors"
	"lull/slotter/absence"
	"lull/slotter/datanode"
	"lull/slotter/learning"
	"lull/slotter/queues"
	"lull/slotter/supply"
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
	Led       int64             `msgpack:"led"`
	Lessons   learning.Lessons  `msgpack:"lessons"`
	Fetches   learning.Fetches  `msgpack:"fetches,omitempty"` // of the pool's latest tasks
	Faults    []faultForm       `msgpack:"faults"`            // by job
	DataNodes []datanode.Learnt `msgpack:"sources,omitempty"` // by name
	Served    []int64           `msgpack:"served"`            // of the live jobs, by submission
	Carried   []carried         `msgpack:"carried"`           // host by host, by attempt
	Outlook   []supply.Outlook  `msgpack:"outlook"`           // of the hosts, by name
	Queues    *queues.Snapshot  `msgpack:"queues,omitempty"`  // of the queues with live jobs, by name
	Making    making            `msgpack:"making"`            // way for each other
	Absent    []absence.Form    `msgpack:"absent,omitempty"`  // commands, by job
	Steerer   *steererForm      `msgpack:"steerer,omitempty"`
}

// Snapshot returns the actor's state. ledger.Unpack extracts the ledger from it.
func (a *Actor) Snapshot() ([]byte, error) {
	form := own{
		Led: a.facts.led, Lessons: a.models.Lessons(), Fetches: a.models.Fetches(), Faults: a.endings.save(),
		DataNodes: a.facts.dataNodes.Keep(), Carried: a.tracker.save(), Queues: a.facts.queues.Keep(),
		Making: a.preemption.save(), Absent: a.facts.absent.Save(), Steerer: a.steerer.save(),
	}
	for life, j := range a.facts.live() {
		served := life.Admitted
		if j != nil {
			served = j.served
		}
		form.Served = append(form.Served, served)
	}
	for _, h := range a.facts.hosts.byName {
		form.Outlook = append(form.Outlook, h.outlook)
	}
	return a.facts.state.PackWith(Section, &form)
}

// Restore replaces the state by a snapshot's.
func (a *Actor) Restore(b []byte) error {
	var form own
	state, err := ledger.UnpackWith(b, Section, &form)
	if err != nil {
		return fmt.Errorf("slotter snapshot: %w", err)
	}
	a.reset(a.facts.cfg, state)
	return a.load(&form)
}

// reset makes the actor one that has folded state and received no telemetry yet.
func (a *Actor) reset(cfg Config, state *ledger.State) {
	f := newFacts(cfg, state)
	*a = Actor{
		facts: f, liveness: newLiveness(f), endings: newEndings(f), reconciler: newReconciler(f), placing: newPlacing(f),
		backlog: newBacklog(newCatalog(f)), tracker: newTracker(f), models: new(learning.Models), steerer: newSteerer(f),
	}
	a.pacer = newPacer(a.tracker)
	v := newView(f, newWaitlist(f, a.models, a.placing), newPlaces(f, a.steerer.survivals), a.backlog.farSeconds)
	a.preemption = newPreemption(v, a.pacer)
	a.assigner = newAssigner(v, a.tracker, a.preemption)
	for _, life := range state.Hosts() {
		h := a.facts.hosts.get(life)
		a.facts.hosts.mark(h)
		a.backlog.count(h)
	}
	a.steerer.sortHosts()
	a.backlog.resize()
	for j := range state.LiveJobs().All() {
		if j.Live() {
			a.backlog.open(j)
			if len(j.Paces()) > 0 {
				a.pacer.Held()
			}
		}
	}
	a.pacer.Changed()
}

func (a *Actor) load(form *own) error {
	a.facts.led = form.Led
	if err := a.models.Restore(form.Lessons, form.Fetches); err != nil {
		return fmt.Errorf("slotter snapshot: %w", err)
	}
	n := 0
	for _, j := range a.facts.live() {
		if n < len(form.Served) && j != nil {
			j.served = form.Served[n]
		}
		n++
	}
	if len(form.Served) != n {
		return fmt.Errorf("slotter snapshot: it was last served to %d of %d live jobs", len(form.Served), n)
	}
	if err := a.loadOutlooks(form.Outlook); err != nil {
		return err
	}
	if err := a.tracker.load(form.Carried); err != nil {
		return err
	}
	a.endings.load(form.Faults)
	a.facts.absent.Load(form.Absent)
	a.steerer.load(form.Steerer)
	a.facts.queues.Restore(form.Queues)
	if err := a.preemption.load(&form.Making); err != nil {
		return err
	}
	if err := a.facts.dataNodes.Restore(form.DataNodes); err != nil {
		return fmt.Errorf("slotter snapshot: %w", err)
	}
	return nil
}

// setTime sets the time. If it goes back because it was wrong, the actor drops every
// time that it noted itself and begins anew with the state that it has folded.
func (a *Actor) setTime(now int64) {
	back := actors.Rewound(a.facts.now, now)
	a.facts.now = now
	if !back {
		return
	}
	if state, err := a.Snapshot(); err == nil {
		_ = a.Restore(state) // its own bytes, which it can read
	}
	a.facts.now, a.facts.led = now, now // like a new leader, it waits for telemetry before it judges hosts
	a.preemption.forgetTimes()
	for _, j := range a.facts.live() {
		if j != nil {
			j.served = min(j.served, now)
		}
	}
}

// loadOutlooks takes over what a snapshot kept, of the hosts by name.
func (a *Actor) loadOutlooks(all []supply.Outlook) error {
	if len(all) != len(a.facts.hosts.byName) {
		return fmt.Errorf("slotter snapshot: it has the idle cores of %d of %d hosts", len(all), len(a.facts.hosts.byName))
	}
	for i, h := range a.facts.hosts.byName {
		h.outlook = all[i]
	}
	return nil
}
