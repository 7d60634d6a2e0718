package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lull/subjects"
)

// claimRetry bounds the pause between two claims that failed: the first is
// retried almost at once, because usually the fold is only a moment behind.
const (
	claimRetryMin = 20 * time.Millisecond
	claimRetryMax = 2 * time.Second
)

// tenure is what an instance knows about who leads its partition.
type tenure struct {
	held    bool          // the lease is ours
	leads   bool          // our own Led is folded and is the last
	led     uint64        // sequence of the last message on LedSubject
	asking  bool          // a claim is out
	claimed uint64        // a claim that was acknowledged, to be folded yet
	after   time.Time     // no claim before this
	retry   time.Duration // next pause between claims
	unknown int           // batches in a row whose outcome was unknown
}

// term is the fence of decisions, 0 while there may be none.
func (s *Shell) term() uint64 {
	if s.tenure.leads {
		return s.tenure.led
	}
	return 0
}

func (s *Shell) mayClaim() bool {
	t := &s.tenure
	return t.held && !t.leads && !t.asking && t.claimed <= t.led && s.behind == 0 && s.failed == nil
}

// claim opens a term when nothing speaks against it. It is conditional on the
// last Led folded, so of two claimers one is refused and reads on.
func (s *Shell) claim() {
	s.renewTerm()
	if !s.mayClaim() || time.Now().Before(s.tenure.after) {
		return
	}
	s.tenure.asking = true
	event, seq, folded := s.cfg.Claim(s.cfg.Instance), s.tenure.led, s.seq
	message, err := subjects.Encode(s.cfg.Bus.Pool(), event) // only a check; appendClaim completes the event
	if err == nil && message.Subject != s.cfg.LedSubject {
		err = errors.New("Claim made an event on " + message.Subject + ", not on LedSubject " + s.cfg.LedSubject)
	}
	if err != nil {
		s.failed = err
		return
	}
	s.spawn(func() {
		won, err := s.appendClaim(event, seq, folded)
		s.mail.post(func() { s.claimAnswered(won, err) })
	})
}

// appendClaim fences on no message at all when the last Led was trimmed away:
// so it is for a host that comes back after the log has moved on.
func (s *Shell) appendClaim(event subjects.Event, led, folded uint64) (uint64, error) {
	if err := s.nameInbox(event); err != nil {
		return 0, err
	}
	message, err := subjects.Encode(s.cfg.Bus.Pool(), event)
	if err != nil {
		return 0, err
	}
	info, err := s.cfg.Bus.Log(s.ctx)
	if err != nil {
		return 0, err
	}
	if info.Last < folded && info.Created.Equal(s.created) {
		return 0, s.lostTail(info.Last, folded, fmt.Sprintf("%s has read entry %d", s.cfg.Name, folded))
	}
	if led < info.First {
		led = 0
	}
	return s.cfg.Bus.Append(s.ctx, []subjects.Message{message}, Fence{s.cfg.LedSubject, led})
}

func (s *Shell) claimAnswered(seq uint64, err error) {
	t := &s.tenure
	t.asking = false
	if err == nil {
		t.claimed, t.retry = seq, 0
		return
	}
	t.retry = min(max(2*t.retry, claimRetryMin), claimRetryMax)
	t.after = time.Now().Add(t.retry)
	var lost *LostTailError
	if errors.As(err, &lost) {
		s.failed = err
		return
	}
	var fenced *FencedError
	if errors.As(err, &fenced) && fenced.Last < t.led && s.behind == 0 {
		t.led = fenced.Last // our last Led was lost with the log's tail, and the log was repaired
	}
	if errors.Is(err, ErrFenced) {
		return // another claim came first: read on
	}
	if s.ctx.Err() == nil && s.ail("no term yet: "+err.Error()) {
		s.cfg.Logger.Warn("nothing is decided until a term can be claimed; trying again", "error", err)
	}
}

// noteLed learns who leads from a message on LedSubject. Bytes that are no
// event lead nobody, but they are the last of their subject: the server would
// refuse a batch that is fenced on anything older.
func (s *Shell) noteLed(seq uint64, event subjects.Event) {
	instance := claimant(event)
	led := s.tenure.leads
	s.tenure.led = seq
	s.met.terms.Inc()
	if instance == s.cfg.Instance {
		s.termReads(event)
		s.heal()
		s.lead(s.tenure.held)
		return
	}
	s.lead(false)
	if led {
		s.cfg.Logger.Warn("another instance leads now", "term", seq, "instance", instance)
	}
	if led && s.cfg.Lease == 0 && instance != "" {
		s.failed = ErrReplaced
	}
}

func claimant(event subjects.Event) string {
	switch e := event.(type) {
	case *subjects.Led:
		return e.Instance
	case *subjects.Joined:
		return e.Instance
	}
	return ""
}

// lead changes between standby and leading.
func (s *Shell) lead(leads bool) {
	s.tenure.leads = leads
	s.stirred = true
	s.leading.Store(leads)
	s.met.leads(leads)
	if !leads {
		s.closeInbox()
	}
}

// renewTerm gives up a term whose Led is about to be trimmed away; claim opens
// the next one.
func (s *Shell) renewTerm() {
	old := s.cfg.Keep > 0 && s.seq-s.tenure.led > s.cfg.Keep/2
	if old && s.tenure.leads && s.flight == nil {
		s.doubt()
	}
}

// doubt stops deciding until a new term is open. The inbox stays as it is.
func (s *Shell) doubt() {
	s.tenure.leads = false
	s.tenure.after = time.Time{}
	s.leading.Store(false)
	s.met.leads(false)
}

// backOff delays the next term, longer with each batch in a row whose outcome was
// unknown. Otherwise a batch that the server never acknowledges would fill the log
// with terms.
func (s *Shell) backOff() {
	if n := s.tenure.unknown; n > 0 {
		s.tenure.after = time.Now().Add(min(claimRetryMin<<min(n, 10), claimRetryMax))
	}
	s.tenure.unknown++
}

// goLease keeps the lease in the background. No lease excludes anybody: it
// only says who should try. The fence excludes.
func (s *Shell) goLease() {
	if s.cfg.Lease == 0 {
		s.tenure.held = true
		return
	}
	s.spawn(func() {
		told := ""
		for s.ctx.Err() == nil {
			held, err := s.cfg.Bus.Lease(s.ctx, s.cfg.owner(), s.cfg.Instance, s.cfg.Lease)
			if err == nil {
				told = ""
				s.mail.post(func() { s.leased(held) })
			} else if s.ctx.Err() == nil && err.Error() != told {
				told = err.Error()
				s.cfg.Logger.Warn("the lease cannot be reached; going on as before", "error", err)
			}
			s.pause(s.cfg.Lease / 3)
		}
	})
}

func (s *Shell) leased(held bool) {
	s.tenure.held = held
	if !held && s.tenure.leads {
		s.lead(false)
	}
}

func (s *Shell) releaseLease(ctx context.Context) error {
	if s.cfg.Lease == 0 {
		return nil
	}
	return s.cfg.Bus.Release(ctx, s.cfg.owner(), s.cfg.Instance)
}
