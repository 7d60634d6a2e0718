package shell

import (
	"time"

	"lull/actors"
	"lull/actors/core"
)

// freeEvery is the interval between two calls of MakeRoom.
const freeEvery = time.Second

// goFreeInbox marks the inbox's messages that the log has dealt with, in a goroutine of its own, because
// the loop must not wait for the server.
func (s *Shell) goFreeInbox() {
	if _, ok := s.cfg.Actor.(actors.Inboxed); !ok {
		return
	}
	s.spawn(func() {
		for freed := uint64(0); s.ctx.Err() == nil; s.pause(freeEvery) {
			dealt := s.inboxHandled.Load()
			if dealt == freed || !s.leading.Load() {
				continue
			}
			if !s.sameInbox() {
				continue // dealt counts messages of another inbox
			}
			if err := s.cfg.Bus.MakeRoom(s.ctx, dealt+1); err != nil {
				s.cfg.Logger.Debug("no room was made in the inbox", "error", err)
				continue
			}
			freed = dealt
		}
	})
}

// sameInbox reports whether the inbox is still the one that the term reads.
func (s *Shell) sameInbox() bool {
	info, err := s.cfg.Bus.InboxInfo(s.ctx)
	return err == nil && core.InboxCreation(info) == s.inboxCreated.Load()
}

// noteHandled passes goFreeInbox the last inbox message that the log has dealt with.
func (s *Shell) noteHandled() {
	if reader, ok := s.cfg.Actor.(actors.Inboxed); ok {
		s.inboxHandled.Store(reader.InboxFrom())
	}
}
