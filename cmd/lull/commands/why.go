package commands

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/story"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
)

type why struct {
	house
	task string
}

func whyCommand() *cobra.Command {
	var w why
	cmd := &cobra.Command{
		Use: "why JOB", Short: "Tell why a job, or one of its tasks, fared as it did", Args: wants(1, 1),
		Long: `Tell from the decisions in the log why a job was admitted or rejected, why its
tasks went where they went, why they were evicted or failed, and what it waits
for now. --task map/3 tells the life of one task, attempt by attempt.`,
		Example: `  lull why wordcount-abc
  lull why --task map/3 wordcount-abc`,
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args[0]) },
	}
	w.flags(cmd)
	cmd.Flags().StringVar(&w.task, "task", "", "one task, as STAGE/NUMBER")
	cmd.ValidArgsFunction = w.completeJobs(nil)
	return cmd
}

func (w *why) run(cmd *cobra.Command, id string) error {
	c, view, j, err := w.find(cmd.Context(), id)
	if err != nil {
		return err
	}
	defer c.Close()
	task, err := w.of(j)
	if err != nil {
		return err
	}
	history, err := c.History(cmd.Context(), j.ID)
	if err != nil {
		return err
	}
	text := story.Job(view.State, j, history, time.Now())
	if task != nil {
		text = story.Task(j, *task, history, time.Now())
	}
	if !j.Phase.Ended() {
		text += starved(cmd.Context(), c, j.ID)
	}
	_, err = fmt.Fprint(w.out(cmd), text)
	return err
}

// of reads --task; nil is the whole job.
func (w *why) of(j *ledger.Job) (*subjects.TaskID, error) {
	if w.task == "" {
		return nil, nil
	}
	name, number, _ := strings.Cut(w.task, "/")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return nil, exit.With(exit.Usage, fmt.Errorf("--task %q: write STAGE/NUMBER, such as %s/0", w.task, firstStage(j)))
	}
	stage, err := stageOf(j, name)
	if err != nil {
		return nil, err
	}
	if tasks := j.Spec.Stages[stage].Tasks; n >= uint64(tasks) {
		return nil, exit.With(exit.Usage, fmt.Errorf("stage %s has the tasks 0 to %d", name, tasks-1))
	}
	return &subjects.TaskID{Stage: uint32(stage), Task: uint32(n)}, nil
}

func firstStage(j *ledger.Job) string {
	if len(j.Spec.Stages) == 0 {
		return "map"
	}
	return j.Spec.Stages[0].Name
}
