package shell

import (
	"context"
	"errors"
	"time"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
)

// moment is what the machine and the bus say now.
func (s *Shell) moment() core.Moment {
	at := core.Moment{Elapsed: s.stopwatch.elapsed(), Wall: time.Now().Round(0), MaxMessage: s.cfg.Bus.MaxMessage()}
	if s.cfg.Memory != nil {
		at.Memory = s.cfg.Memory()
	}
	return at
}

// perform carries out what the core calls for. What takes time goes to a goroutine, and its
// outcome comes back through the mailbox.
func (s *Shell) perform(effects []core.Effect) {
	for _, effect := range effects {
		switch e := effect.(type) {
		case core.Do:
			s.do(e.Actions)
		case core.Answer:
			s.answer(e.Reply)
		case core.Taken:
			s.inbox.noteArrival(e.Request)
		case core.Quarantine:
			s.toQuarantine(e.Where, e.ID, e.Reason, e.Body)
		case core.Claim:
			s.spawn(func() {
				seq, err := s.claim(e)
				s.mail.post(func() { s.perform(s.core.Claimed(s.moment(), seq, err)) })
			})
		case core.Append:
			s.append(e)
		case core.Save:
			s.goSave(e)
		case core.OpenInbox:
			s.openInbox(e.From)
		case core.CloseInbox:
			s.closeInbox()
		case core.Landed:
			s.metrics.echoed(e.After)
			s.noteHandled()
		case core.Term, core.Lead:
			s.noteTerm(e)
		default:
			s.note(e)
		}
	}
}

// noteTerm follows which instance leads.
func (s *Shell) noteTerm(e core.Effect) {
	switch e := e.(type) {
	case core.Term:
		s.metrics.terms.Inc()
		s.inboxCreated.Store(s.core.InboxCreated())
	case core.Lead:
		s.leading.Store(e.Leads)
		s.metrics.leads(e.Leads)
	}
}

// note logs an effect for people.
func (s *Shell) note(e core.Effect) {
	switch e := e.(type) {
	case core.Note:
		s.logNote(e)
	case core.Unhealthy:
		if !s.stopping() && s.setUnhealthy(e.What) {
			s.logNote(e.Note)
		}
	case core.Healthy:
		s.setHealthy()
	case core.Wait:
		s.waitReason.Store(nil)
		if e.Why != "" {
			s.waitReason.Store(&e.Why)
		}
	}
}

func (s *Shell) do(actions []actors.Action) {
	if s.cfg.Perform == nil {
		s.failed = errors.New("the actor has actions, but Config.Perform is missing")
		return
	}
	for _, action := range actions {
		s.cfg.Perform(action)
	}
}

// claim opens a term on the log as it stands.
func (s *Shell) claim(c core.Claim) (uint64, error) {
	if c.Inbox {
		inbox, err := s.cfg.Bus.InboxInfo(s.ctx)
		if err != nil {
			return 0, err
		}
		c.NameInbox(inbox)
	}
	message, err := s.cfg.Vocabulary.Encode(s.cfg.Bus.Pool(), c.Event)
	if err != nil {
		return 0, err
	}
	log, err := s.cfg.Bus.Log(s.ctx)
	if err != nil {
		return 0, err
	}
	fence, err := c.Fence(log)
	if err != nil {
		return 0, err
	}
	return s.cfg.Bus.Append(s.ctx, []subjects.Message{message}, fence)
}

func (s *Shell) append(a core.Append) {
	messages := make([]subjects.Message, len(a.Batch))
	for i := range a.Batch {
		messages[i] = a.Batch[i].Message
	}
	end, sent := s.traceBatch(a.Batch, messages), time.Now()
	s.spawn(func() {
		seq, err := s.cfg.Bus.Append(s.ctx, messages, a.Fence)
		end(err)
		s.mail.post(func() {
			s.metrics.appended(len(messages), time.Since(sent), err)
			if err == nil || !s.stopping() {
				s.perform(s.core.Appended(s.moment(), seq, err))
			}
		})
	})
}

// goLease keeps the lease in the background.
func (s *Shell) goLease() {
	if s.cfg.Lease == 0 {
		return
	}
	s.spawn(func() {
		logged := ""
		for s.ctx.Err() == nil {
			held, err := s.cfg.Bus.Lease(s.ctx, s.cfg.Owner(), s.cfg.Instance, s.cfg.Lease)
			if err == nil {
				logged = ""
				s.mail.post(func() { s.perform(s.core.Leased(s.moment(), held)) })
			} else if s.ctx.Err() == nil && err.Error() != logged {
				logged = err.Error()
				s.cfg.Logger.Warn("the lease can be neither taken nor renewed now; trying again", "error", err)
			}
			s.pause(s.cfg.Lease / 3)
		}
	})
}

func (s *Shell) releaseLease(ctx context.Context) error {
	if s.cfg.Lease == 0 {
		return nil
	}
	return s.cfg.Bus.Release(ctx, s.cfg.Owner(), s.cfg.Instance)
}
