package shell

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"lull/actors"
	"lull/actors/core"
)

// drained bounds how many entries are folded before the rest of the loop gets
// its turn, so that a long replay does not starve leases and questions.
const drained = 4096

// ErrStopped says that Run has returned.
var ErrStopped = errors.New("the shell has stopped")

// Shell runs one actor on one bus. Make it with New, run it once with Run.
type Shell struct {
	cfg     Config
	metrics *metrics
	mail    *mailbox

	leading      atomic.Bool
	inboxHandled atomic.Uint64          // the last inbox message that the log has dealt with
	inboxCreated atomic.Int64           // creation time of the inbox that the term reads, for goFreeInbox
	health       atomic.Pointer[string] // what is wrong, nil when nothing is
	waitReason   atomic.Pointer[string] // why new work waits, nil when it does not
	workers      sync.WaitGroup         // everything Run started
	listens      chan struct{}          // closed when all subscriptions to core messages exist
	ended        chan struct{}          // closed when Run returns

	// The rest belongs to the loop's goroutine.

	ctx        context.Context // of Run
	stopwatch  stopwatch
	core       *core.Core
	failed     error // ends the loop, beside what ends the core
	inbox      inbox
	quarantine quarantine
}

// New checks the configuration and fills in its defaults.
func New(cfg Config) (*Shell, error) {
	cfg.fill()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Shell{cfg: cfg, mail: newMailbox(), listens: make(chan struct{}), ended: make(chan struct{}), stopwatch: newStopwatch(), inbox: newInbox(), quarantine: newQuarantine()}
	s.core = core.New(core.Config{Role: cfg.Role, Pool: cfg.Bus.Pool(), Instance: cfg.Instance, Actor: cfg.Actor, Claim: cfg.Claim})
	s.metrics = newMetrics(&s.cfg)
	s.setUnhealthy("not started")
	return s, nil
}

// Listens is closed when Run has subscribed to all core messages. A sender of an inbox message
// before that gets no verdict, because the stream does not keep its reply subject.
func (s *Shell) Listens() <-chan struct{} { return s.listens }

// Run folds, leads and decides until ctx ends, which is no error. It returns
// one when going on would be wrong: an unknown kind of event, a log cut off
// below the state, actors.ErrReplaced.
func (s *Shell) Run(ctx context.Context) error {
	defer close(s.ended)
	ctx, cancel := context.WithCancel(ctx)
	s.ctx = ctx
	err := s.run()
	s.perform(s.core.StepDown(s.moment()))
	cancel()
	s.workers.Wait()
	s.setUnhealthy("stopped")
	return errors.Join(err, s.leave(err))
}

func (s *Shell) run() error {
	if err := s.restore(); err != nil {
		return s.unlessDone(fmt.Errorf("%s: %w", s.cfg.Owner(), err))
	}
	entries := s.refollow()
	if err := s.subscribe(); err != nil {
		return s.unlessDone(err)
	}
	close(s.listens)
	s.goLease()
	s.goQuarantine()
	s.goFreeInbox()
	s.goWatchInbox()
	s.setHealthy()
	if err := s.loop(entries); err != nil {
		return fmt.Errorf("%s: %w", s.cfg.Owner(), err)
	}
	return nil
}

// unlessDone returns err, or nil if Run is ending anyway.
func (s *Shell) unlessDone(err error) error {
	if s.stopping() {
		return nil
	}
	return err
}

func (s *Shell) stopping() bool { return s.ctx.Err() != nil }

// loop is the one goroutine that owns the core and its actor. It takes what has arrived, the log
// first, and then decides once on all of it. So batches grow by themselves under load, and nothing
// waits for a timer.
func (s *Shell) loop(entries <-chan actors.Delivery) error {
	alarm := time.NewTimer(time.Hour)
	defer alarm.Stop()
	for {
		s.perform(s.core.Turn(s.moment()))
		if err := s.fatal(); err != nil {
			return err
		}
		s.setAlarm(alarm)
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
		case d := <-s.acceptedMessages():
			s.request(d)
		case d := <-s.urgent():
			s.requestEarly(d)
		case <-alarm.C:
			s.perform(s.core.Ring(s.moment()))
		}
		s.drain(entries)
	}
}

// setAlarm sets the alarm for what no message announces.
func (s *Shell) setAlarm(alarm *time.Timer) {
	alarm.Stop()
	if wait, due := s.core.Alarm(s.moment()); due {
		alarm.Reset(wait)
	}
}

// fatal returns why the loop cannot go on, nil if it can.
func (s *Shell) fatal() error {
	if s.failed != nil {
		return s.failed
	}
	return s.core.Err()
}

// drain handles all else that has arrived, without waiting.
func (s *Shell) drain(entries <-chan actors.Delivery) {
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

// Report gives the actor the outcome of an action. It never blocks and may be
// called from any goroutine, also from within Perform.
func (s *Shell) Report(outcome any) {
	s.mail.post(func() { s.perform(s.core.Report(s.moment(), outcome)) })
}

// Inspect calls look with the actor, between two steps. It must only read.
func (s *Shell) Inspect(ctx context.Context, look func(actors.Actor)) error {
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

// spawn starts a goroutine that Run waits for.
func (s *Shell) spawn(f func()) { s.workers.Go(f) }

func (s *Shell) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.ctx.Done():
	}
}
