package actor

import (
	"lull/subjects"
	"lull/subjects/section"
)

// Section is a host's snapshot.
var Section = section.Kind{Name: "host", Version: Version, Ways: section.Ways{unsectioned: nil}}

// unsectioned is the version of the last snapshots without sections.
const unsectioned = 4

// saved is the state that follows from the log, in msgpack.
type saved struct {
	Term    uint64         `msgpack:"term"`
	Seq     uint64         `msgpack:"seq"`
	Paused  bool           `msgpack:"paused,omitempty"`
	Drained bool           `msgpack:"drained,omitempty"`
	Left    bool           `msgpack:"left,omitempty"`
	Lost    bool           `msgpack:"lost,omitempty"`
	Joiner  joiner         `msgpack:"joiner"`
	Held    []savedAttempt `msgpack:"held,omitempty"`
	Paces   []savedPace    `msgpack:"paces,omitempty"`
	Known   []KnownModel   `msgpack:"known,omitempty"`
	// Harmed is the end of the last interval of harm; no interval has counted Evictions.
	Harmed    int64  `msgpack:"harmed,omitempty"`
	Evictions uint32 `msgpack:"evictions,omitempty"`
}

type savedAttempt struct {
	ID   uint64          `msgpack:"id"`
	Job  string          `msgpack:"job"`
	Task subjects.TaskID `msgpack:"task"`
	Doc  uint64          `msgpack:"doc,omitempty"`
	Try  uint32          `msgpack:"try"`
	At   uint32          `msgpack:"place"`
	Wide uint32          `msgpack:"width"`
	Part uint32          `msgpack:"part,omitempty"`
	Said bool            `msgpack:"said,omitempty"`
	Kill string          `msgpack:"kill,omitempty"`
}

// Snapshot returns the state of the host that follows from the log. What runs is not
// part of it: the shims report that.
func (a *Actor) Snapshot() ([]byte, error) {
	s := saved{Term: a.term, Joiner: a.joiner, Seq: a.seq, Paused: a.paused, Drained: a.drained, Left: a.left, Lost: a.lost}
	for _, t := range a.held {
		s.Held = append(s.Held, savedAttempt{t.id, t.job, t.taskID, t.docSeq, t.try, t.firstSlot, t.width, t.part, t.startLogged, t.revokedReason()})
	}
	s.Paces, s.Known = a.pace.save(), a.models.known
	s.Harmed, s.Evictions = a.harm.until, a.harm.evictions
	return section.Write(section.Part{Kind: Section, Form: &s})
}

// revokedReason is the reason of an end if it comes from the log. A restarted process
// decides again on the others.
func (t *attempt) revokedReason() string {
	if t.endReason == subjects.ReasonRevoked || t.endReason == subjects.ReasonPreempted {
		return t.endReason
	}
	return ""
}

// Restore replaces the state that follows from the log with a snapshot's.
func (a *Actor) Restore(b []byte) error {
	var s saved
	if err := section.Read(b, unsection, section.Part{Kind: Section, Form: &s}); err != nil {
		return err
	}
	a.term, a.seq, a.paused, a.drained, a.left, a.lost = s.Term, s.Seq, s.Paused, s.Drained, s.Left, s.Lost
	a.joiner = s.Joiner
	a.held = nil
	for _, t := range s.Held {
		a.add(&attempt{id: t.ID, job: t.Job, taskID: t.Task, docSeq: t.Doc, try: t.Try, firstSlot: t.At, width: t.Wide, part: t.Part, startLogged: t.Said, endReason: t.Kill})
	}
	a.pace.restore(s.Paces)
	a.models.known = s.Known
	a.harm.until, a.harm.evictions = s.Harmed, s.Evictions
	return nil
}

// unsection turns a snapshot without sections into one section.
func unsection(b []byte) ([]section.Section, error) {
	return []section.Section{{Name: Section.Name, Version: unsectioned, Body: b}}, nil
}
