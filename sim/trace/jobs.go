package trace

import (
	"cmp"
	"io"
	"slices"
	"time"

	"lull/sim"
)

// JobOptions say what a list of jobs does not. The zero value is ready.
type JobOptions struct {
	// Begin is the run's zero on the file's clock, as in Pool.Begin. Earlier jobs are left out, and
	// those at Until (unless 0) or later.
	Begin, Until time.Duration
	// Align takes the first job's time as the run's zero instead, and keeps all jobs: for files
	// with different clocks.
	Align bool
	// Speed is by how much faster jobs come than in the file. Defaults to 1.
	Speed float64
	// Noise is the standard deviation of the logarithm of a task's own factor
	// (sim.Truth). Defaults to 0.
	Noise float64
	// MaxCores and MaxMemory (bytes) are what the largest host has: a job of tasks that need more
	// is a bad row. 0: not checked.
	MaxCores  uint32
	MaxMemory int64
	// Swim is the rule for traces without tasks.
	Swim Swim
	// SkipBad leaves bad rows out.
	SkipBad bool
}

// List is what Jobs found.
type List struct {
	// Jobs by time of submission.
	Jobs []sim.Job
	// Types say how long the tasks really take: work is conserved.
	Types []sim.Truth
	// Form is "lull" or "swim".
	Form string
	// Tasks and Work, in seconds on an idle core, of all jobs.
	Tasks int
	Work  float64
	// First and Last are submissions on the file's clock, of all jobs of the
	// file. Outside counts those outside the window, Skipped bad rows.
	First, Last      time.Duration
	Outside, Skipped int
}

// Bounds of what a list may be.
const (
	maxJobs  = 2_000_000
	maxTasks = 20_000_000
)

// Jobs reads a list of jobs in either form. file names it in errors, which are
// of type *Error.
func Jobs(r io.Reader, file string, o JobOptions) (*List, error) {
	if o.Speed == 0 {
		o.Speed = 1
	}
	t, err := openTable(r, file)
	if err != nil {
		return nil, err
	}
	if err := t.unique(); err != nil {
		return nil, err
	}
	l := &list{table: t, o: o, types: newTypes(o.Noise), found: &List{}}
	if err := l.read(); err != nil {
		return nil, err
	}
	return l.finish()
}

// list is a file of jobs being read.
type list struct {
	*table
	o     JobOptions
	types *types
	found *List
	seen  int
}

func (l *list) read() error {
	if l.column("shuffle_bytes") >= 0 {
		return l.readSwim()
	}
	return l.readOwn()
}

func (l *list) finish() (*List, error) {
	if err := l.verdict(l.file, l.o.SkipBad); err != nil {
		return nil, err
	}
	switch l.found.Skipped = l.count; {
	case l.seen == 0:
		return nil, fileError(l.file, 0, 0, "no job is left: it needs a line for each job")
	case len(l.found.Jobs) == 0:
		return nil, fileError(l.file, 0, 0, "its jobs come from %s s to %s s, and the window begins at %s s%s: both files must share a clock",
			plain(l.found.First.Seconds()), plain(l.found.Last.Seconds()), plain(l.o.Begin.Seconds()), l.windowEnd())
	}
	if l.o.Align {
		l.align()
	}
	slices.SortStableFunc(l.found.Jobs, func(a, b sim.Job) int { return cmp.Compare(a.At, b.At) })
	l.found.Types = l.types.truths()
	return l.found, nil
}

// align shifts the jobs so that the first is submitted at the run's zero.
func (l *list) align() {
	first := l.at(l.found.First)
	for i := range l.found.Jobs {
		l.found.Jobs[i].At -= first
	}
}

// at is a time of the file's clock in the run.
func (l *list) at(t time.Duration) time.Duration {
	return time.Duration(float64(t-l.o.Begin) / l.o.Speed)
}

func (l *list) windowEnd() string {
	if l.o.Until == 0 {
		return ""
	}
	return " and ends at " + plain(l.o.Until.Seconds()) + " s"
}
