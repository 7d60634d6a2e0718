package jobs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/client/story"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/ledger"
)

type why struct {
	cli.Connection
	format listing.Format
	task   string
	full   bool
}

// reasons is what why --output json prints.
type reasons struct {
	Job   string `json:"job"`
	State string `json:"state"`
	culprit
	Reason []string     `json:"reasons"`
	Rates  *story.Rates `json:"rates,omitempty"`
}

func whyCommand() *cobra.Command {
	var w why
	cmd := &cobra.Command{
		Use: "why JOB", Short: "Explain why a job or a task ran, waited, failed or was rejected", Args: cli.ArgCount(1, 1),
		Long: `Explain, from the decisions in the log, why a job was admitted or rejected, why its
tasks ran on the hosts they did, why they were evicted or failed, and what the job
waits for now. For a job that reads much: how fast, compared with its target rate,
and which jobs slow each other.

--task map/3 tells the history of one task, attempt by attempt.`,
		Example: `  lull why wordcount-abc
  lull why --task map/3 wordcount-abc`,
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args[0]) },
	}
	w.Flags(cmd)
	w.format.Flag(cmd)
	help.JSON(cmd, `job, state
task, label     with --task: the task, and what tells it from others for people (its file, its line of each:,
                its combination of matrix:, or its partition)
reasons         the lines of the text
rates           of a job that is open:
  tasks         tasks that run
  told          of these, tasks with a target rate
  measured      of these, tasks with a measured rate
  reference     target rate of all together, in bytes/s
  now           measured rate of all together, in bytes/s
  cap_cores     cores to which tasks are limited
  short         tasks that cannot reach their target
  share         of what the pool reads, 0 to 1
  why           share or deadline
  reaches_reference
  left          bytes of input that are not read yet
  read_by       when they will have been read
  gives_way_to, given_way_by    jobs`)
	cmd.Flags().StringVar(&w.task, "task", "", "one task, as STAGE/NUMBER")
	cmd.Flags().BoolVarP(&w.full, "verbose", "v", false, "add the figures that decided, and the ids of attempts")
	cmd.ValidArgsFunction = w.CompleteJobs()
	return cmd
}

func (w *why) run(cmd *cobra.Command, id string) error {
	c, view, j, err := w.Find(cmd.Context(), id)
	if err != nil {
		return err
	}
	defer c.Close()
	task, err := w.of(j)
	if err != nil {
		return err
	}
	told, err := view.Why(cmd.Context(), j, client.WhyOptions{Task: task, Detail: story.Detail(w.full)})
	if err != nil {
		return err
	}
	if w.format == listing.JSON {
		return listing.Object(w.Out(cmd), reasons{told.Job, told.State, culprit{w.task, told.Label}, told.Reasons, told.Rates})
	}
	_, err = fmt.Fprint(w.Out(cmd), told.Text())
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
	if tasks := j.Shape.Stages[stage].Tasks; n >= uint64(tasks) {
		return nil, exit.With(exit.Usage, fmt.Errorf("stage %s has the tasks 0 to %d", name, tasks-1))
	}
	return &subjects.TaskID{Stage: uint32(stage), Task: uint32(n)}, nil
}

func firstStage(j *ledger.Job) string {
	if len(j.Shape.Stages) == 0 {
		return "map"
	}
	return j.Shape.Stages[0].Name
}
