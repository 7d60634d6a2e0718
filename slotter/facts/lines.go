package facts

import (
	"strings"

	"lull/slotter/queues"
	"lull/slotter/supply"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Line is where tasks of a queue with the same needs wait: a host that can run
// one of them can run any. Its lists are those of one round.
type Line struct {
	Cpu    uint32 // slots
	Part   uint32 // of the last one, in thousandths; 0: all of it
	Memory int64
	Where  []string
	absent []string          // hosts that do not have the command
	Fence  []string          // classes of tenants on whose hosts it may run; none: all
	Placed *ledger.Placement // on whose hosts it runs; nil: all
	queue  *queues.Queue

	Round         uint64               // that the lists are of
	news          int                  // groups that joined, and were not there the round before
	Served        int64                // when the job that waits longest was last given something
	UnservedFront int                  // of works: those before it need no slot that is left empty
	Works         []*Work              // by submission
	Urgent        []*Work              // by deadline
	Groups        []*Group             // by the submission of their first work
	Front         int                  // of works: those before it are dry
	UrgentFront   int                  // of urgent: those before it are dry or on track
	Best          [tct.Steps + 1]*Work // rule ii's choice at a residual, until it is dry

	Unknown       []*Work        // by submission, those with a model that is explored
	UnknownFronts [probeBins]int // of unknown, by range of residual: those before it have no claim there
	Starving      []*Work        // by submission, those of jobs that waited too long
	StarvingFront int            // of starving: those before it are
}

// Group is the part of a line with one completion-time curve.
type Group struct {
	Line  *Line
	Curve *tct.Curve
	round uint64
	Works []*Work      // by submission
	Front int          // those before it are dry
	Worth supply.Worth // what mp+ makes of the curve
}

// Work is a stage with tasks that may start now.
type Work struct {
	Job    *Job
	Group  *Group
	Stage  int
	Life   *ledger.Stage
	Curve  *tct.Curve
	cursor ledger.Cursor
	Task   uint32 // the next one, unless dry
	Dry    bool
	demand demand // on data nodes
	Enough EnoughSlots
	Most   int // tasks that it may still be given in the round
}

// Lines finds the lines and groups of stages; both outlive rounds, so that a
// round need not look them up.
type Lines struct {
	lines  map[needs]*Line
	Groups map[groupKey]*Group
}

type (
	needs struct {
		cores  spec.Cores
		memory int64
		where  string
		absent string
		fence  string
		placed *ledger.Placement
		queue  *queues.Queue
	}
	groupKey struct {
		line  *Line
		curve *tct.Curve
	}
)

func newLines() Lines {
	return Lines{map[needs]*Line{}, map[groupKey]*Group{}}
}

// group returns the group in which a stage's tasks wait.
func (s *Lines) group(q *queues.Queue, stage *spec.Stage, curve *tct.Curve) *Group {
	return s.GroupFor(q, stage, Limits{Where: stage.Where}, curve)
}

// Limits are the hosts that tasks may use, beyond what they take of a host.
type Limits struct {
	Where, Absent, Fence []string
	Placed               *ledger.Placement
}

// GroupFor returns the group in which a stage's tasks wait if they may use only these hosts.
func (s *Lines) GroupFor(q *queues.Queue, stage *spec.Stage, to Limits, curve *tct.Curve) *Group {
	join := func(list []string) string { return strings.Join(list, "\x00") }
	key := needs{stage.Cores(), stage.Memory, join(to.Where), join(to.Absent), join(to.Fence), to.Placed, q}
	l := s.lines[key]
	if l == nil {
		l = &Line{Cpu: stage.CPU, Part: stage.Part, Memory: stage.Memory, Where: to.Where, absent: to.Absent, Fence: to.Fence, Placed: to.Placed, queue: q}
		s.lines[key] = l
	}
	g := s.Groups[groupKey{l, curve}]
	if g == nil {
		g = &Group{Line: l, Curve: curve}
		s.Groups[groupKey{l, curve}] = g
	}
	return g
}

// Begin empties the line for a round.
func (l *Line) Begin(round uint64) {
	l.Round = round
	l.Works, l.Urgent, l.Groups = l.Works[:0], l.Urgent[:0], l.Groups[:0]
	l.Unknown, l.Starving = l.Unknown[:0], l.Starving[:0]
	l.Front, l.UrgentFront, l.StarvingFront, l.UnservedFront, l.Served = 0, 0, 0, 0, Never
	clear(l.UnknownFronts[:])
	clear(l.Best[:])
}

// Join puts a work at the end of its group and line.
func (g *Group) Join(w *Work, round uint64) {
	if g.round != round {
		if g.round != round-1 {
			g.Line.news++
		}
		g.round, g.Front, g.Works = round, 0, g.Works[:0]
		g.Line.Groups = append(g.Line.Groups, g)
	}
	g.Works = append(g.Works, w)
	g.Line.Served = min(g.Line.Served, w.Job.Served)
	g.Line.Works = append(g.Line.Works, w)
}

// Head is the earliest work with a task, nil if there is none.
func (g *Group) Head() *Work { return Head(g.Works, &g.Front) }

// Head moves front behind the works that are dry.
func Head(works []*Work, front *int) *Work {
	for ; *front < len(works); *front++ {
		if w := works[*front]; !w.Dry {
			return w
		}
	}
	return nil
}

// Advance takes the work's next task, or marks it dry.
func (w *Work) Advance(now int64) {
	task, ok := w.Life.Next(now, &w.cursor)
	w.Task, w.Dry = task, !ok || w.Most == 0
	w.Most--
}
