package integrity

import (
	"fmt"
	"path/filepath"

	"lull/subjects"
)

// planLog plans the repair of a pool's log. Missing entries are lost unless the snapshots
// of the deciders cover them.
func (c *check) planLog(pool subjects.Pool, s *stream, seen Witness) {
	snaps := c.snapshots[pool]
	if snaps == nil {
		snaps = newSnapshots()
	}
	covered := snaps.covered(s.created)
	e := edits{stream: s, pool: pool, aside: c.Aside}
	if s.first > max(covered, 1) && s.first > covered+1 && !s.voided(covered+1) {
		g := gap{from: covered + 1, to: s.first - 1, block: s.blocks[0], until: s.firstTime}
		c.noteLoss(pool, "entries of the log", s, g, covered)
		e.fillGap(g, c.declaredInbox(pool, s, g))
	}
	for _, g := range s.gaps {
		c.noteLoss(pool, "entries of the log", s, g, covered)
		e.fillGap(g, 0)
	}
	known := max(snaps.last(s.created), c.lastKnown(s, seen))
	switch {
	case known > s.last:
		g := gap{from: s.last + 1, to: known, since: s.time}
		if s.last == 0 {
			g.from = min(covered+1, known)
		}
		if known > covered || s.last == 0 {
			c.noteLoss(pool, "entries of the log", s, g, covered)
		}
		e.fillEnd(g, c.reservedSequences(), c.declaredInbox(pool, s, g))
	case s.torn != nil:
		e.fillEnd(gap{from: s.last + 1, to: s.last, since: s.time}, skipSequences, 0)
	}
	c.planEdits(&e)
}

// lastKnown is the last sequence of the stream according to the mark and Config.Seen.
func (c *check) lastKnown(s *stream, seen Witness) (seq uint64) {
	if e := c.Seen[s.name]; e.Created.Equal(s.created) {
		seq = e.Seq
	}
	if createdOf(seen.Meta).Equal(s.created) {
		seq = max(seq, seen.Last)
	}
	return seq
}

// reservedSequences is how many sequences after the last known one may have been given out.
func (c *check) reservedSequences() uint64 {
	if c.mark.Clean {
		return 0
	}
	return skipSequences
}

// declaredInbox returns the inbox message up to which a log that lost its beginning declares the inbox
// dealt with. So old jobs run again only with Config.Again. 0 leaves that to the remaining entries
// of the log.
func (c *check) declaredInbox(pool subjects.Pool, s *stream, g gap) uint64 {
	if g.from > 1 || c.Again {
		return 0
	}
	if dealt := c.answeredInbox(pool); dealt > 0 {
		return dealt
	}
	key := filepath.Join(filepath.Dir(c.key(s)), s.name+inboxSuffix)
	last := c.mark.Streams[key].Last
	if inbox := c.streams[key]; inbox != nil {
		last = max(last, inbox.last)
	}
	return last
}

func (c *check) key(s *stream) string {
	key, _ := filepath.Rel(c.Store, s.dir) // cannot fail: dir is below Store
	return key
}

// planInbox plans the repair of a pool's inbox. Missing messages are lost unless an entry
// of the log answers them or later ones.
func (c *check) planInbox(pool subjects.Pool, s *stream, seen Witness) {
	gaps := s.gaps
	known := c.lastKnown(s, seen)
	e := edits{stream: s, pool: pool, aside: c.Aside, inbox: true}
	if known > s.last {
		g := gap{from: s.last + 1, to: known, since: s.time}
		gaps = append(gaps, g)
		e.fillEnd(g, c.reservedSequences(), 0)
	} else if s.torn != nil {
		e.fillEnd(gap{from: s.last + 1, to: s.last}, skipSequences, 0)
	}
	if len(gaps) == 0 {
		c.planEdits(&e)
		return
	}
	dealt := c.answeredInbox(pool)
	for _, g := range gaps {
		c.noteLoss(pool, "messages of the inbox", s, g, dealt)
	}
	c.planEdits(&e)
}

// planOther plans the repair of a stream whose readers check what they read: unreadable bytes are cut
// out, and the messages after them stay.
func (c *check) planOther(s *stream) {
	e := edits{stream: s, aside: c.Aside}
	c.planEdits(&e)
}

// noteLoss notes a gap as lost, unless all of it is covered.
func (c *check) noteLoss(pool subjects.Pool, what string, s *stream, g gap, covered uint64) {
	if g.to <= covered {
		return
	}
	file, why := s.locate(g)
	c.lost = append(c.lost, Lost{
		Pool: string(pool), What: what, From: max(g.from, covered+1), To: g.to,
		Since: when(g.since), Until: when(g.until), File: file, Why: why,
	})
}

// locate returns the file of a gap and what is wrong with it.
func (s *stream) locate(g gap) (file, why string) {
	for _, b := range s.blocks {
		for _, bad := range b.bad {
			if g.block == b && bad.to == g.at || bad.end && bad.after+1 == g.from {
				return b.path, fmt.Sprintf("is damaged at byte %d", bad.from)
			}
		}
	}
	switch {
	case len(s.blocks) == 0:
		return s.dir, "holds no messages"
	case g.block == nil:
		return s.blocks[len(s.blocks)-1].path, "ends before them"
	case g.at > 0:
		return g.block.path, "does not hold them"
	}
	return filepath.Dir(g.block.path), "does not hold them"
}

// answeredInbox is the last message of a pool's inbox that its log answers.
func (c *check) answeredInbox(pool subjects.Pool) (inbox uint64) {
	for _, s := range c.streams {
		if s.name != pool.Log() {
			continue
		}
		work := 0 // no search for damaged bytes: the first pass has made it
		_, err := examineStream(s.dir, &work, func(r record) { inbox = max(inbox, answeredBy(pool, r)) })
		if err != nil {
			return 0
		}
	}
	return inbox
}

// planEdits adds the edits to the plan, if there are any.
func (c *check) planEdits(e *edits) {
	if text := e.text(); text != "" {
		c.plan(e.write, "%s", text)
	}
}
