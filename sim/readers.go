package sim

import (
	"slices"
	"strings"
	"time"
)

// readers knows which replica reads which part of the log. Each host reads the entries about itself. With
// an index, six hundred hosts need not look at each other's entries.
type readers struct {
	w      *World
	whole  []*replica
	byHost map[string]*share
	prefix string // of subjects about hosts
}

func newReaders(w *World) readers {
	return readers{w: w, byHost: map[string]*share{}, prefix: strings.TrimSuffix(w.pool().OfHost(""), ".>")}
}

// hostOf returns the host that a subject is about, "" if it is about none.
func (s *readers) hostOf(subject string) string {
	rest, ok := strings.CutPrefix(subject, s.prefix)
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, ".")
	return host
}

// share is the entries about one host.
type share struct {
	replica *replica
	seqs    []uint64
}

func (s *readers) add(r *replica) {
	if !r.ofHost() {
		s.whole = append(s.whole, r)
		return
	}
	s.byHost[r.Partition] = &share{replica: r}
}

// follow makes a replica that has just started read on after the last entry that it has folded.
func (s *readers) follow(r *replica) {
	if r.ofHost() {
		seqs := s.byHost[r.Partition].seqs
		r.cursor, _ = slices.BinarySearch(seqs, r.core.Seq()+1)
	}
	if e, _ := s.next(r); e != nil {
		r.notify(s.w.now)
	}
}

// next returns the entry that the replica is to fold next, and how many entries follow it; nil if there is
// none.
func (s *readers) next(r *replica) (*entry, uint64) {
	log := s.w.bus.log
	if !r.ofHost() {
		seq := max(r.core.Seq()+1, log.first)
		if seq > log.end {
			return nil, 0
		}
		return log.at(seq), log.end - seq
	}
	seqs := s.byHost[r.Partition].seqs
	for r.cursor < len(seqs) && (seqs[r.cursor] < log.first || seqs[r.cursor] <= r.core.Seq()) {
		r.cursor++
	}
	if r.cursor == len(seqs) {
		return nil, 0
	}
	return log.at(seqs[r.cursor]), uint64(len(seqs) - r.cursor - 1)
}

// announce wakes the readers for an entry that was just appended.
func (s *readers) announce(e *entry, at time.Duration) {
	for _, r := range s.whole {
		r.notify(at)
	}
	if share := s.byHost[s.hostOf(e.subject)]; share != nil {
		share.seqs = append(share.seqs, e.Seq)
		share.replica.notify(at)
	}
}
