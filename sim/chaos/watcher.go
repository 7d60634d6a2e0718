package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/sim"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// watcher checks, after every entry of the log, what must never happen:
//
//   - a slot holds two attempts, in the log or on its host, or an attempt
//     runs on two hosts
//   - a task is committed twice
//   - an admitted job is forgotten
//   - an instance decides although it does not lead
//   - a generation of classes counts in part, or a class has the name of one that is gone
//   - a queue grows without bound
//
// It folds the log into a ledger of its own, so that it does not depend on the services that it checks.
type watcher struct {
	w        *sim.World
	hosts    []sim.Host
	names    []string // of all replicas and agents
	state    *ledger.State
	done     map[task]uint64 // committed, by attempt
	given    map[uint64]subjects.Assigned
	led      map[string]*subjects.Led // last of each service
	term     map[string]uint64
	found    []error
	classes  classes
	last     string // kind of the newest entry
	coverage Coverage
}

type task struct {
	job string
	subjects.TaskID
}

func newWatcher(s *sim.Scenario) *watcher {
	c := &watcher{
		hosts: s.Hosts, state: ledger.New(), done: map[task]uint64{}, given: map[uint64]subjects.Assigned{},
		led: map[string]*subjects.Led{}, term: map[string]uint64{}, coverage: Coverage{},
	}
	for i := range s.Classifiers {
		c.names, c.classes.tenants = append(c.names, fmt.Sprintf("classifier/%d", i)), pastTenants
	}
	for i := range s.Placers {
		c.names = append(c.names, fmt.Sprintf("placer/%d", i))
	}
	for i := range max(s.Replicas, 1) {
		c.names = append(c.names, fmt.Sprintf("admission/%d", i), fmt.Sprintf("slotter/%d", i))
	}
	for _, h := range s.Hosts {
		c.names = append(c.names, "host/"+h.Name)
	}
	return c
}

// maxFound bounds the violations that are reported of one run: the first few explain the others.
const maxFound = 5

func (c *watcher) fail(format string, args ...any) {
	if len(c.found) < maxFound {
		c.found = append(c.found, fmt.Errorf("at %v, entry %d (%s): "+format, append([]any{c.w.Now(), c.state.Seq, c.last}, args...)...))
	}
}

// checkEntry is the scenario's Watch.
func (c *watcher) checkEntry(at time.Duration, seq uint64, e subjects.Event) {
	if e == nil {
		return // garbage: no reader may make anything of it
	}
	c.last = subjects.Kind(e)
	if c.w == nil { // the entry was appended before the run
		c.state.Apply(seq, epoch.Add(at), e)
		return
	}
	c.checkAuthor(seq, e)
	if a, ok := e.(*subjects.Assigned); ok {
		c.given[seq] = *a
	}
	change := c.state.Apply(seq, epoch.Add(at), e)
	c.checkCommits(e, change)
	if end, ok := e.(*subjects.PoolClassified); ok && change.Outcome != ledger.Void {
		c.classes.check(c, end)
	}
	c.checkSlots()
	c.checkJobs()
	c.checkQueues()
}

// epoch is any time: the ledger only compares.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// checkAuthor checks that the instance that decides also leads.
func (c *watcher) checkAuthor(seq uint64, e subjects.Event) {
	if led, ok := e.(*subjects.Led); ok {
		c.led[led.Actor], c.term[led.Actor] = led, seq
		return
	}
	process, term := c.w.Author()
	service, _, _ := strings.Cut(process, "/")
	if service != "admission" && service != "slotter" && service != "classifier" && service != "placer" {
		return
	}
	if led := c.led[service]; led == nil || c.term[service] != term || !strings.HasPrefix(led.Instance, process+"-") {
		c.fail("%s decided in term %d, but term %d of %+v stands", process, term, c.term[service], led)
	}
}

func (c *watcher) checkCommits(e subjects.Event, change ledger.Change) {
	switch e := e.(type) {
	case *subjects.Finished:
		if change.Outcome != ledger.Committed {
			return
		}
		at := task{e.Job, e.TaskID}
		if other := c.done[at]; other != 0 {
			c.fail("%v was committed by attempt %d, and again by %d", at, other, e.Attempt)
		}
		c.done[at] = e.Attempt
	case *subjects.OutputLost:
		for _, t := range e.Tasks {
			c.reopened(task{e.Job, subjects.TaskID{Stage: e.Stage, Task: t}}, change)
		}
	case *subjects.OutputMissing:
		c.reopened(task{e.Job, e.TaskID}, change)
	}
}

// reopened follows a finished task that runs again.
func (c *watcher) reopened(at task, change ledger.Change) {
	if change.Outcome != ledger.Void && !c.isDone(at) {
		delete(c.done, at)
	}
}

func (c *watcher) isDone(at task) bool {
	state, _, _ := c.state.Job(at.job).Stages[at.Stage].Task(at.Task)
	return state == ledger.Done
}

// checkSlots checks the slots of each host, by the attempts that run on it and by the log.
func (c *watcher) checkSlots() {
	where := map[uint64]string{}
	for i := range c.hosts {
		h := &c.hosts[i]
		runs, cores := c.w.Runs(h.Name), spec.Cores(0)
		for _, attempt := range runs {
			cores += spec.CoresOf(c.given[attempt].Width, c.given[attempt].Part)
			if other := where[attempt]; other != "" {
				c.fail("attempt %d runs on %s and on %s", attempt, other, h.Name)
			}
			where[attempt] = h.Name
		}
		if cores > spec.Cores(max(h.Slots, h.Cores))*spec.Core {
			c.fail("%s runs %v in %d slots", h.Name, runs, max(h.Slots, h.Cores))
		}
		c.checkPlaces(c.state.Host(h.Name))
	}
}

func (c *watcher) checkPlaces(h *ledger.Host) {
	if h == nil {
		return
	}
	held := map[uint64]uint32{}
	for _, id := range h.Places() {
		held[id]++
	}
	for _, a := range h.Attempts() {
		if held[a.ID] != h.PlacesOf(a) && !h.Gone {
			c.fail("%s: attempt %d has %d of its %d slots", h.Name, a.ID, held[a.ID], a.Width)
		}
	}
}

// checkJobs checks that every admitted job still exists, also in the simulator's own state.
func (c *watcher) checkJobs() {
	for j := range c.state.LiveJobs().All() {
		if c.w.Ledger().Job(j.ID) == nil {
			c.fail("job %s is forgotten", j.ID)
		}
	}
}

// backlog is the most samples and reports that may wait for a process: a real shell drops telemetry
// beyond it.
const backlog = 8192

func (c *watcher) checkQueues() {
	for _, process := range c.names {
		if n := c.w.Queued(process); n > backlog {
			c.fail("%d samples and reports are queued for %s", n, process)
		}
	}
}

// checkEnd checks the end of a run: every job finished or was rejected, and all replicas that have folded the
// whole log have the same state.
func (c *watcher) checkEnd(r *sim.Result) error {
	for i := range r.Jobs {
		if j := &r.Jobs[i]; !slices.Contains([]string{ledger.Finished.String(), ledger.Rejected.String()}, j.State) {
			c.fail("job %s (%s) is %s %s, long after the last fault", j.ID, j.Name, j.State, j.Code)
		}
	}
	if c.classes.tenants > 0 && c.state.Tenants.Last() == nil {
		c.fail("no tenant was classified")
	}
	for _, process := range c.names {
		if state := c.w.State(process); state != nil && state.Seq == c.w.Ledger().Seq && !sameSnapshot(state, c.w.Ledger()) {
			c.fail("%s folded the log to another state than the simulator did", process)
		}
	}
	return errors.Join(c.found...)
}

// sameSnapshot reports whether two states have the same snapshot.
func sameSnapshot(a, b *ledger.State) bool {
	of, errA := a.Snapshot()
	other, errB := b.Snapshot()
	return errA == nil && errB == nil && bytes.Equal(of, other)
}
