package sim

import (
	"time"

	"lull/actors"
	"lull/subjects"
)

// entry is one message of a stream.
type entry struct {
	// Entry is what readers get, all of them the same: none may change it.
	// Its Event is nil if the bytes are no event.
	actors.Entry
	message
}

// message is what a stream keeps, as bytes.
type message struct {
	subject string
	header  map[string]string
	body    []byte
}

// chunk is how many entries are allocated at once. They never move: readers
// hold pointers.
const chunk = 1024

// sequence is a stream of messages, numbered from 1: the log, or the inbox.
type sequence struct {
	created time.Time
	first   uint64 // of what was not trimmed
	end     uint64 // last one, first−1 if there is none
	base    uint64 // sequence of chunks[0][0]
	chunks  []*[chunk]entry
	fences  map[string]uint64 // last sequence on each subject that a fence has named
}

func newSequence(created time.Time) *sequence {
	return &sequence{created: created, first: 1, base: 1, fences: make(map[string]uint64)}
}

func (s *sequence) info() actors.LogInfo {
	return actors.LogInfo{Created: s.created, First: s.first, Last: s.end}
}

// at returns the entry of a sequence from first to end.
func (s *sequence) at(seq uint64) *entry {
	i := seq - s.base
	return &s.chunks[i/chunk][i%chunk]
}

func (s *sequence) add(now time.Time, m message, event subjects.Event) {
	i := s.end + 1 - s.base
	if i/chunk == uint64(len(s.chunks)) {
		s.chunks = append(s.chunks, new([chunk]entry))
	}
	s.end++
	e := &s.chunks[i/chunk][i%chunk]
	e.Entry, e.message = actors.Entry{Seq: s.end, Time: now, Event: event}, m
	if _, fenced := s.fences[m.subject]; fenced {
		s.fences[m.subject] = s.end
	}
}

// last returns the sequence of the last message on a subject, 0 for none. Callers ask for few of the
// subjects; fences tracks a subject from the first time on.
func (s *sequence) last(subject string) uint64 {
	seq, known := s.fences[subject]
	if !known {
		for seq = s.end; seq >= s.first && s.at(seq).subject != subject; {
			seq--
		}
		s.fences[subject] = seq
	}
	if seq < s.first {
		return 0
	}
	return seq
}

// holds reports whether the last message on the fence's subject is the fence's.
func (s *sequence) holds(f actors.Fence) bool {
	return f.Subject == "" || s.last(f.Subject) == f.Seq
}

// trim drops what is below a sequence.
func (s *sequence) trim(below uint64) {
	s.first = max(s.first, min(below, s.end+1))
	for len(s.chunks) > 0 && s.base+chunk <= s.first {
		s.chunks, s.base = s.chunks[1:], s.base+chunk
	}
}
