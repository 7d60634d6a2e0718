package shell

import (
	"context"
	"time"

	"lull/actors"
)

// urgent is the reader of urgent requests. It is open while new work waits.
type urgent struct {
	messages <-chan actors.Delivery
	stop     context.CancelFunc
	after    time.Time // the reader could not be opened, or broke: not again before this
}

// urgent is the reader of urgent requests, or nil while all messages are taken anyway.
func (s *Shell) urgent() <-chan actors.Delivery {
	actor, ok := s.cfg.Actor.(actors.Urgent)
	if !ok || !s.core.NewWorkWaits() || s.inbox.messages == nil {
		s.closeUrgent()
		return nil
	}
	if !s.core.AcceptsRequest(s.moment(), true) {
		return nil
	}
	if s.inbox.urgent.messages == nil && !time.Now().Before(s.inbox.urgent.after) {
		s.openUrgent(actor.Urgent())
	}
	return s.inbox.urgent.messages
}

// openUrgent reads on after what the actor was given in its turn.
func (s *Shell) openUrgent(subjects []string) {
	ctx, stop := context.WithCancel(s.ctx)
	messages, err := s.cfg.Bus.Inbox(ctx, s.inbox.read+1, subjects...)
	if err != nil {
		stop()
		s.inbox.urgent.after = time.Now().Add(refollowAfter)
		s.cfg.Logger.Debug("urgent requests cannot be read ahead of the work that waits; trying again", "error", err)
		return
	}
	s.inbox.urgent = urgent{messages: messages, stop: stop}
}

func (s *Shell) closeUrgent() {
	if s.inbox.urgent.messages != nil {
		s.inbox.urgent.stop()
		s.inbox.urgent = urgent{}
	}
}

// requestEarly gives the actor a request before its turn.
func (s *Shell) requestEarly(d actors.Delivery) {
	if d.Seq == 0 { // the reader broke
		s.closeUrgent()
		s.inbox.urgent.after = time.Now().Add(refollowAfter)
		return
	}
	r := asRequest(d)
	r.Early = true
	s.perform(s.core.Request(s.moment(), r))
}
