package slotter

import (
	"strings"

	"lull/slotter/queues"
	"lull/slotter/supply"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// line is where tasks of a queue with the same needs wait: a host that can run
// one of them can run any. Its lists are those of one round.
type line struct {
	cpu    uint32
	memory int64
	where  []string
	absent []string          // hosts that do not have the command
	fence  []string          // classes of tenants on whose hosts it may run; none: all
	placed *ledger.Placement // on whose hosts it runs; nil: all
	queue  *queues.Queue

	round         uint64               // that the lists are of
	news          int                  // groups that joined, and were not there the round before
	served        int64                // when the job that waits longest was last given something
	unservedFront int                  // of works: those before it need no slot that is left empty
	works         []*work              // by submission
	urgent        []*work              // by deadline
	groups        []*group             // by the submission of their first work
	front         int                  // of works: those before it are dry
	urgentFront   int                  // of urgent: those before it are dry or on track
	best          [tct.Steps + 1]*work // rule ii's choice at a residual, until it is dry

	unknown       []*work        // by submission, those with a model that is explored
	marks         [probeBins]int // of unknown: those before it have no claim there
	starving      []*work        // by submission, those of jobs that waited too long
	starvingFront int            // of starving: those before it are
}

// group is the part of a line with one completion-time curve.
type group struct {
	line  *line
	curve *tct.Curve
	round uint64
	works []*work      // by submission
	front int          // those before it are dry
	worth supply.Worth // what mp+ makes of the curve
}

// work is a stage with tasks that may start now.
type work struct {
	job    *job
	group  *group
	stage  int
	life   *ledger.Stage
	curve  *tct.Curve
	cursor ledger.Cursor
	task   uint32 // the next one, unless dry
	dry    bool
	demand demand // on data nodes
	plenty plenty
	most   int // tasks that it may still be given in the round
}

// lines finds the lines and groups of stages; both outlive rounds, so that a
// round need not look them up.
type lines struct {
	lines  map[needs]*line
	groups map[groupKey]*group
}

type (
	needs struct {
		cpu    uint32
		memory int64
		where  string
		absent string
		fence  string
		placed *ledger.Placement
		queue  *queues.Queue
	}
	groupKey struct {
		line  *line
		curve *tct.Curve
	}
)

func newLines() lines {
	return lines{map[needs]*line{}, map[groupKey]*group{}}
}

// group is where a stage's tasks wait.
func (s *lines) group(q *queues.Queue, spec *spec.Stage, curve *tct.Curve) *group {
	return s.at(q, spec, limits{where: spec.Where}, curve)
}

// limits are the hosts that tasks may use, beyond what they take of a host.
type limits struct {
	where, absent, fence []string
	placed               *ledger.Placement
}

// at is where a stage's tasks wait that may use these hosts alone.
func (s *lines) at(q *queues.Queue, spec *spec.Stage, to limits, curve *tct.Curve) *group {
	join := func(list []string) string { return strings.Join(list, "\x00") }
	key := needs{spec.CPU, spec.Memory, join(to.where), join(to.absent), join(to.fence), to.placed, q}
	l := s.lines[key]
	if l == nil {
		l = &line{cpu: spec.CPU, memory: spec.Memory, where: to.where, absent: to.absent, fence: to.fence, placed: to.placed, queue: q}
		s.lines[key] = l
	}
	g := s.groups[groupKey{l, curve}]
	if g == nil {
		g = &group{line: l, curve: curve}
		s.groups[groupKey{l, curve}] = g
	}
	return g
}

// begin empties the line for a round.
func (l *line) begin(round uint64) {
	l.round = round
	l.works, l.urgent, l.groups = l.works[:0], l.urgent[:0], l.groups[:0]
	l.unknown, l.starving = l.unknown[:0], l.starving[:0]
	l.front, l.urgentFront, l.starvingFront, l.unservedFront, l.served = 0, 0, 0, 0, never
	clear(l.marks[:])
	clear(l.best[:])
}

// join puts a work at the end of its group and line.
func (g *group) join(w *work, round uint64) {
	if g.round != round {
		if g.round != round-1 {
			g.line.news++
		}
		g.round, g.front, g.works = round, 0, g.works[:0]
		g.line.groups = append(g.line.groups, g)
	}
	g.works = append(g.works, w)
	g.line.served = min(g.line.served, w.job.served)
	g.line.works = append(g.line.works, w)
}

// head is the earliest work with a task, nil if there is none.
func (g *group) head() *work { return head(g.works, &g.front) }

// head moves front behind the works that are dry.
func head(works []*work, front *int) *work {
	for ; *front < len(works); *front++ {
		if w := works[*front]; !w.dry {
			return w
		}
	}
	return nil
}

// advance takes the work's next task, or marks it dry.
func (w *work) advance(now int64) {
	task, ok := w.life.Next(now, &w.cursor)
	w.task, w.dry = task, !ok || w.most == 0
	w.most--
}
