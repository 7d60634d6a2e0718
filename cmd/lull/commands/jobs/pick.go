package jobs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"lull/client/story"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// pick chooses attempts of a job.
type pick struct {
	stage   string
	task    int
	attempt int
}

func (p *pick) attemptFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.stage, "stage", "", "only this stage")
	f.IntVar(&p.task, "task", -1, "only the task with this number, from 0")
	f.IntVar(&p.attempt, "attempt", 0, "this attempt of the task, 1 for its first (the last)")
}

// chosen is a choice among one job's attempts.
type chosen struct {
	*pick
	index int // of the stage, -1 for all
}

// of checks the choice against a job.
func (p *pick) of(j *ledger.Job) (chosen, error) {
	c := chosen{p, -1}
	if p.stage != "" {
		var err error
		if c.index, err = stageOf(j, p.stage); err != nil {
			return c, err
		}
	}
	if p.task >= 0 && c.index < 0 && len(j.Stages) > 1 {
		return c, exit.With(exit.Usage, fmt.Errorf("--task %d of which stage? add --stage", p.task))
	}
	return c, nil
}

// among leaves one attempt of each task that is wanted, in order of stage and
// task.
func (c chosen) among(all []*story.Attempt) []*story.Attempt {
	last := map[subjects.TaskID]*story.Attempt{}
	for _, a := range all {
		if c.wants(a) {
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

func (c chosen) wants(a *story.Attempt) bool {
	return (c.index < 0 || int(a.Stage) == c.index) && (c.task < 0 || int(a.Task) == c.task) &&
		(c.attempt == 0 || int(a.Try) == c.attempt)
}
