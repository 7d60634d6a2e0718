package client

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lull/client/progress"
	"lull/client/story"
	"lull/subjects"
	"lull/subjects/ledger"
)

// LogQuery chooses logs of a job's attempts. The zero value is the standard output of each
// task's last attempt.
type LogQuery struct {
	Stage   string  // "" for all
	Task    *uint32 // the task's number in its stage, from 0; nil for all
	Attempt uint32  // the attempt's number in its task, from 1; 0 for the last
	Stderr  bool    // standard error in place of standard output
	// Errors is where standard error goes, beside standard output; nil for nowhere.
	Errors io.Writer
	// Labels adds to the names of tasks what tells them from others for people: see spec.Stage.Label.
	Labels bool
	Follow bool // go on until the job ends, with attempts that begin meanwhile
}

func (q LogQuery) stream() string {
	if q.Stderr {
		return Stderr
	}
	return Stdout
}

// ErrNoStage says that a job has no stage of a name.
var ErrNoStage = errors.New("no stage")

// StageOf returns the index of a job's stage. The error is ErrNoStage.
func StageOf(j *ledger.Job, name string) (int, error) {
	var names []string
	for i := range j.Shape.Stages {
		if j.Shape.Stages[i].Name == name {
			return i, nil
		}
		names = append(names, j.Shape.Stages[i].Name)
	}
	return 0, fmt.Errorf("%s has %w %q: it has %s", j.ID, ErrNoStage, name, strings.Join(names, ", "))
}

// chosenLogs is a query about one job.
type chosenLogs struct {
	LogQuery
	most       int           // stages of the job: the log may hold assignments of others, which the ledger refused
	names      []string      // of the stages
	labels     *story.Labels // nil for none
	stage      int           // -1 for all
	withoutLog []int         // stages that lull itself carries out: they write no log
}

// resolve looks up the query's stage in a job.
func (q LogQuery) resolve(j *ledger.Job) (c chosenLogs, err error) {
	c = chosenLogs{LogQuery: q, most: len(j.Shape.Stages), stage: -1}
	for i := range j.Shape.Stages {
		c.names = append(c.names, j.Shape.Stages[i].Name)
		if j.Shape.Stages[i].Publish {
			c.withoutLog = append(c.withoutLog, i)
		}
	}
	if q.Stage == "" {
		return c, nil
	}
	c.stage, err = StageOf(j, q.Stage)
	if err == nil && slices.Contains(c.withoutLog, c.stage) {
		return c, fmt.Errorf("%s has %w with a log named %q: lull itself carries it out; lull why %s shows what it did", j.ID, ErrNoStage, q.Stage, j.ID)
	}
	return c, err
}

// name names an attempt for people: map/3 for a task's first attempt, map/3#2 for its second.
func (c chosenLogs) name(a *story.Attempt) string {
	text := fmt.Sprintf("%s/%d", c.names[a.Stage], a.Task)
	if a.Try > 1 {
		text += fmt.Sprintf("#%d", a.Try)
	}
	if c.labels == nil {
		return text
	}
	return progress.Labelled(text, c.labels.Of(a.TaskID))
}

func (c chosenLogs) includes(a *story.Attempt) bool {
	return int(a.Stage) < c.most && !slices.Contains(c.withoutLog, int(a.Stage)) && (c.stage < 0 || int(a.Stage) == c.stage) && (c.Task == nil || a.Task == *c.Task) &&
		(c.Attempt == 0 || a.Try == c.Attempt)
}

// latest returns the last attempt of each task that is included, in order of stage and task.
func (c chosenLogs) latest(all []*story.Attempt) []*story.Attempt {
	last := map[subjects.TaskID]*story.Attempt{}
	for _, a := range all {
		if c.includes(a) {
			last[a.TaskID] = a
		}
	}
	var some []*story.Attempt
	for _, a := range last {
		some = append(some, a)
	}
	slices.SortFunc(some, func(a, b *story.Attempt) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Task, b.Task))
	})
	return some
}
