package sim

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"time"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
	"lull/subjects/ledger"
)

// World is a scenario as it happens. A plan of faults is given one: see
// Faults.
type World struct {
	Scenario
	kernel
	bus           *bus
	readers       readers
	ledger        *ledger.State // of the log as it stands: the judge of what happened
	services      []*replica
	hosts         []*host
	byHost        map[string]*host
	dataNodes     dataNodes
	network       *network
	outputs       outputs
	truths        map[string]*curve
	clients       clients
	record        recorder
	digest        hash.Hash
	failure       error
	ended         bool   // End was called
	author        author // of the entries that are being appended
	idleFor       time.Duration
	digestBuffer  []byte // reused for the bytes that go to digest
	samples       samples
	shared        []*shared // of a coarse scenario
	monitorGroups [phases]*monitorGroup
	// keepBytes keeps the entries' bytes, for tests that look at them.
	keepBytes bool

	inputs      int // of cores
	delivered   int // entries folded by replicas
	samplesSeen int // samples of telemetry
}

// warmUp is how long before its begin the pool's processes run, so that the services
// know the hosts.
const warmUp = 15 * time.Second

// Run runs a scenario to its end. The error says what is wrong with the
// scenario, or what a service could not go on with; ctx ends it early.
func Run(ctx context.Context, s Scenario) (*Result, error) {
	w, err := newWorld(s)
	if err != nil {
		return nil, err
	}
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	return w.result(), nil
}

func newWorld(s Scenario) (*World, error) {
	if err := s.fill(); err != nil {
		return nil, err
	}
	w := &World{Scenario: s, bus: newBus(wall(-warmUp)), ledger: ledger.New(), digest: sha256.New(), byHost: map[string]*host{}}
	w.now = -warmUp
	w.samples = newSamples(&w.Scenario)
	w.readers = newReaders(w)
	w.record = newRecorder(w)
	w.truths = curves(s.Types)
	w.dataNodes = newDataNodes(s.DataNodes)
	w.network, w.outputs = newNetwork(w, s.Topology), outputs{}
	if err := w.appendKnown(); err != nil {
		return nil, err
	}
	w.idleFor = idleFor
	if err := w.addServices(); err != nil {
		return nil, err
	}
	for i := range s.Hosts {
		w.addHost(&w.Hosts[i])
	}
	if err := w.addClients(); err != nil {
		return nil, err
	}
	if w.Faults != nil {
		w.Faults.Begin(w)
	}
	return w, nil
}

// appendKnown appends the events that are in the log before the run: models, queues, network and
// tenants.
func (w *World) appendKnown() error {
	for _, f := range w.Models {
		if err := w.Append(&f); err != nil {
			return fmt.Errorf("model %s: %w", f.Type, err)
		}
	}
	for _, q := range w.Queues {
		if err := w.Append(&q); err != nil {
			return fmt.Errorf("queue %s: %w", q.Queue, err)
		}
	}
	if w.Network != nil {
		if err := w.Append(w.Network); err != nil {
			return fmt.Errorf("network: %w", err)
		}
	}
	for _, e := range w.Tenants {
		if err := w.Append(e); err != nil {
			return fmt.Errorf("tenants: %w", err)
		}
	}
	return nil
}

// idleFor is the longest time in which no job is submitted and nothing ends. After it the run stops with
// an error, because something is wrong with the scenario.
const idleFor = 30 * 24 * time.Hour

// idle returns an error when nothing has ended for too long.
func (w *World) idle() error {
	if w.Until != 0 || w.now-w.record.last <= w.idleFor {
		return nil
	}
	return fmt.Errorf("nothing was submitted and nothing ended for %v: %d jobs are open; give Until, or the jobs a Patience", w.idleFor, w.clients.open)
}

func (w *World) run(ctx context.Context) error {
	until := w.Until
	if until == 0 {
		until = endOfTime
	}
	for !w.over() && w.step(until) {
		if w.failure != nil {
			return w.failure
		}
		if w.steps%1024 == 0 {
			if err := cmp.Or(ctx.Err(), w.idle()); err != nil {
				return err
			}
		}
	}
	if w.Until != 0 && !w.over() {
		w.now = w.Until
	}
	return w.failure
}

// over reports whether the run has ended: by End, or because no job is open and no time was set.
func (w *World) over() bool { return w.ended || w.Until == 0 && w.clients.open == 0 }

// author is the replica that decided a batch of events, and its term.
type author struct {
	process string
	term    uint64
}

// encode makes a batch of events that come from outside the replicas.
func (w *World) encode(events []subjects.Event) ([]core.Draft, error) {
	batch := make([]core.Draft, len(events))
	for i, e := range events {
		m, err := subjects.Encode(w.pool(), e)
		if err != nil {
			return nil, err
		}
		batch[i] = core.Draft{Event: e, Message: m}
	}
	return batch, nil
}

func (w *World) pool() subjects.Pool { return w.Admission.Pool }

// append puts a batch into the log, now, and announces it to its readers.
func (w *World) append(batch []core.Draft, fence actors.Fence) (uint64, error) {
	seq, err := w.bus.append(wall(w.now), batch, fence)
	if err != nil {
		return 0, err
	}
	for at := seq - uint64(len(batch)) + 1; at <= seq; at++ {
		w.foldEntry(w.bus.log.at(at))
	}
	return seq, nil
}

// foldEntry follows one entry that was just appended.
func (w *World) foldEntry(e *entry) {
	w.addToDigest(e)
	if e.Event != nil {
		w.record.note(e, w.ledger.Apply(e.Seq, e.Time, e.Event))
	}
	w.readers.announce(e, w.now)
	if w.Coarse {
		sampleBroken(w, e.Event)
	}
	if w.Watch != nil && e.Event != nil {
		w.Watch(w.now, e.Seq, e.Event)
	}
	if !w.keepBytes {
		e.body = nil // the digest has them
	}
}

// Append appends an event without a condition, now: as an operator does, or a
// hostile client.
func (w *World) Append(e subjects.Event) error {
	batch, err := w.encode([]subjects.Event{e})
	if err == nil {
		_, err = w.append(batch, actors.Fence{})
	}
	return err
}
