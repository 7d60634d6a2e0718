package actors

import "time"

// roomEvery is how often the inbox is told how far the log has dealt with it.
const roomEvery = time.Second

// goRoom lets the inbox drop what the log has dealt with, behind the loop's back.
func (s *Shell) goRoom() {
	if _, ok := s.cfg.Actor.(Inboxed); !ok {
		return
	}
	s.spawn(func() {
		for told := uint64(0); s.ctx.Err() == nil; s.pause(roomEvery) {
			dealt := s.inboxed.Load()
			if dealt == told || !s.leading.Load() {
				continue
			}
			if !s.sameInbox() {
				continue // the numbers are another's
			}
			if err := s.cfg.Bus.MakeRoom(s.ctx, dealt+1); err != nil {
				s.cfg.Logger.Debug("no room was made in the inbox", "error", err)
				continue
			}
			told = dealt
		}
	})
}

// sameInbox reports whether the inbox is still the one that the term reads.
func (s *Shell) sameInbox() bool {
	info, err := s.cfg.Bus.InboxInfo(s.ctx)
	return err == nil && bornOf(info) == s.reads.Load()
}

// noteInbox says to goRoom how far the log has dealt with the inbox.
func (s *Shell) noteInbox() {
	if reader, ok := s.cfg.Actor.(Inboxed); ok {
		s.inboxed.Store(reader.InboxFrom())
	}
}
