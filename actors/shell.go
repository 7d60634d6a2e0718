package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// drained bounds how many entries are folded before the rest of the loop gets
// its turn, so that a long replay does not starve leases and questions.
const drained = 4096

// ErrReplaced says: a partition without a lease has one candidate, and another
// instance took its place.
var ErrReplaced = errors.New("another process has taken over under the same name: give each machine a name of its own, and run one agent a name")

// ErrStopped says: Run has returned.
var ErrStopped = errors.New("the shell has stopped")

// Shell runs one actor on one bus. Make it with New, run it once with Run.
type Shell struct {
	cfg  Config
	met  *metrics
	mail *mailbox

	leading atomic.Bool
	inboxed atomic.Uint64          // the last inbox message that the log has dealt with
	reads   atomic.Int64           // creation time of the inbox that the term reads, for goRoom
	health  atomic.Pointer[string] // what is wrong, nil when nothing is
	waits   atomic.Pointer[string] // why new work waits, nil when it does not
	workers sync.WaitGroup         // everything Run started
	listens chan struct{}          // closed when all is heard that no stream keeps
	ended   chan struct{}          // closed when Run returns

	// The rest belongs to the loop's goroutine.

	ctx     context.Context // of Run
	clock   clock
	created time.Time // of the log
	seq     uint64    // last entry folded
	behind  uint64    // entries that waited behind the last one
	stirred bool      // something happened since the last decision
	wake    time.Time // when the actor wants a tick, zero for never
	failed  error     // ends the loop

	tenure   tenure
	flight   *flight // the batch that is out, nil for none
	hold     hold
	narrow   narrow
	bars     bounded[string, time.Time] // refused decisions, and until when they are dropped
	inbox    inbox
	snapshot saver
	aside    aside
}

// New checks the configuration and fills in its defaults.
func New(cfg Config) (*Shell, error) {
	cfg.fill()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Shell{cfg: cfg, mail: newMailbox(), listens: make(chan struct{}), ended: make(chan struct{}), inbox: newInbox(), aside: newAside(), bars: newBounded[string, time.Time](maxBarred)}
	s.met = newMetrics(&s.cfg)
	s.ail("not started")
	return s, nil
}

// Listens is closed when Run hears all that no stream keeps. Who sends a message to the inbox
// before that hears no verdict: the stream does not keep where the sender waits for it.
func (s *Shell) Listens() <-chan struct{} { return s.listens }

// Run folds, leads and decides until ctx ends, which is no error. It returns
// one when going on would be wrong: an unknown kind of event, a log cut off
// below the state, ErrReplaced.
func (s *Shell) Run(ctx context.Context) error {
	defer close(s.ended)
	ctx, cancel := context.WithCancel(ctx)
	s.ctx = ctx
	err := s.run()
	s.lead(false)
	cancel()
	s.workers.Wait()
	s.ail("stopped")
	return errors.Join(err, s.leave(err))
}

func (s *Shell) run() error {
	if err := s.restore(); err != nil {
		return s.unlessDone(fmt.Errorf("%s.%s: %w", s.cfg.Name, s.cfg.Partition, err))
	}
	entries := s.refollow()
	if err := s.listen(); err != nil {
		return s.unlessDone(err)
	}
	close(s.listens)
	s.goLease()
	s.goAside()
	s.goRoom()
	s.goInbox()
	s.heal()
	if err := s.loop(entries); err != nil {
		return fmt.Errorf("%s.%s: %w", s.cfg.Name, s.cfg.Partition, err)
	}
	return nil
}

func (s *Shell) unlessDone(err error) error {
	if s.stopping() {
		return nil
	}
	return err
}

func (s *Shell) stopping() bool { return s.ctx.Err() != nil }

// loop is the one goroutine that owns the actor. It takes what is there, the
// log first, and then decides once on all of it: so batches grow by
// themselves under load and nothing waits for a timer.
func (s *Shell) loop(entries <-chan Delivery) error {
	alarm := time.NewTimer(time.Hour)
	defer alarm.Stop()
	for s.failed == nil {
		s.claim()
		s.reopenInbox()
		s.decide()
		alarm.Reset(s.untilAlarm())
		select {
		case <-s.ctx.Done():
			return nil
		case d, open := <-entries:
			if !open {
				entries = s.refollow()
				continue
			}
			s.fold(d)
		case <-s.mail.ready:
		case d := <-s.wanted():
			s.request(d)
		case d := <-s.urgent():
			s.early(d)
		case <-alarm.C:
			s.ring()
		}
		s.drain(entries)
	}
	return s.failed
}

// drain takes without waiting what else is there.
func (s *Shell) drain(entries <-chan Delivery) {
	for range drained {
		select {
		case d, open := <-entries:
			if !open {
				return // the loop's own receive sees it again
			}
			s.fold(d)
			continue
		default:
		}
		break
	}
	s.mail.run()
	s.drainInbox()
}

// step is the only way into the actor.
func (s *Shell) step(in Input) Output {
	in.Now, in.Term = s.clock.now(), s.term()
	if s.cfg.Memory != nil {
		in.Memory = s.cfg.Memory()
	}
	out := s.cfg.Actor.Step(in)
	s.stirred = !in.Decide
	s.wake = out.Wake
	if in.Term != 0 {
		s.perform(out.Actions)
	}
	for _, reply := range out.Replies {
		s.answer(reply)
	}
	return out
}

func (s *Shell) perform(actions []Action) {
	if len(actions) > 0 && s.cfg.Perform == nil {
		s.failed = errors.New("the actor has actions, but Config.Perform is missing")
		return
	}
	for _, action := range actions {
		s.cfg.Perform(action)
	}
}

// decide asks for decisions when this instance may make some.
func (s *Shell) decide() {
	if !s.stirred || s.failed != nil || s.term() == 0 || s.flight != nil || s.hold.on() {
		return
	}
	if out := s.step(Input{Decide: true}); len(out.Events) > 0 {
		s.append(out.Events)
	}
}

// untilAlarm is the time until the next thing that no message announces.
func (s *Shell) untilAlarm() time.Duration {
	wait := time.Hour
	soon := func(d time.Duration) { wait = max(0, min(wait, d)) }
	if !s.wake.IsZero() && s.term() != 0 {
		soon(s.wake.Sub(s.clock.now()))
	}
	if s.hold.on() {
		soon(time.Until(s.hold.until))
	}
	if s.inbox.full {
		soon(lookForRoom)
	}
	if s.mayClaim() {
		soon(time.Until(s.tenure.after))
	}
	if s.savable() && !s.snapshot.busy {
		soon(s.untilSnapshot())
	}
	if s.mayReopen() {
		soon(time.Until(s.inbox.after))
	}
	return wait
}

// ring handles the alarm: whatever is due becomes a reason to decide.
func (s *Shell) ring() {
	if !s.wake.IsZero() && !s.clock.now().Before(s.wake) {
		s.wake = time.Time{}
		s.stirred = true
	}
	if s.hold.over() {
		s.stirred = true
	}
	s.snapshotIfDue()
}

// Report gives the actor the outcome of an action. It never blocks and may be
// called from any goroutine, also from within Perform.
func (s *Shell) Report(outcome any) {
	s.mail.post(func() { s.step(Input{Report: outcome}) })
}

// Inspect calls look with the actor, between two steps. It must only read.
func (s *Shell) Inspect(ctx context.Context, look func(Actor)) error {
	done := make(chan struct{})
	s.mail.post(func() {
		if ctx.Err() == nil {
			look(s.cfg.Actor)
		}
		close(done)
	})
	select {
	case <-done:
	case <-ctx.Done():
	case <-s.ended:
		return ErrStopped
	}
	return ctx.Err()
}

// Done is closed when Run has returned.
func (s *Shell) Done() <-chan struct{} { return s.ended }

// Leading reports whether this instance is the writer of its partition.
func (s *Shell) Leading() bool { return s.leading.Load() }

// Healthy returns what keeps the shell from its work: a log without room, a
// bus that cannot be reached. A standby is healthy.
func (s *Shell) Healthy() error {
	if what := s.health.Load(); what != nil {
		return fmt.Errorf("%s.%s: %s", s.cfg.Name, s.cfg.Partition, *what)
	}
	if why := s.waits.Load(); why != nil {
		return fmt.Errorf("%s.%s: %s", s.cfg.Name, s.cfg.Partition, *why)
	}
	return nil
}

// ail notes what is wrong and reports whether that is news.
func (s *Shell) ail(what string) bool {
	before := s.health.Swap(&what)
	return before == nil || *before != what
}

func (s *Shell) heal() { s.health.Store(nil) }

// spawn starts a goroutine that Run waits for.
func (s *Shell) spawn(f func()) { s.workers.Go(f) }
