package jobs

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/subjects/ledger"
)

type logs struct {
	cli.Connection
	stage   string
	task    int
	attempt int
	stdout  bool
	stderr  bool
	follow  bool
	verbose bool
}

func logsCommand() *cobra.Command {
	var l logs
	cmd := &cobra.Command{
		Use: "logs JOB", Short: "Print what a job's tasks wrote", Args: cli.ArgCount(1, 1),
		Long: `Print what the last attempt of each task wrote, also while it runs: its standard
output to standard output, its standard error to standard error. --stdout and --stderr
print one of them, to standard output. With several tasks, each line begins with its
stage and task.`,
		Example: `  lull logs wordcount-abc
  lull logs --follow wordcount-abc
  lull logs --stage map --task 3 --stderr wordcount-abc`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd, args[0]) },
	}
	l.Flags(cmd)
	f := cmd.Flags()
	f.StringVar(&l.stage, "stage", "", "only this stage")
	f.IntVar(&l.task, "task", -1, "only the task with this number, from 0 (default all)")
	f.Lookup("task").DefValue = "0" // shows no default
	f.IntVar(&l.attempt, "attempt", 0, "only this attempt, from 1 (default the last)")
	f.BoolVar(&l.stderr, "stderr", false, "print what tasks wrote to standard error alone")
	f.BoolVar(&l.stdout, "stdout", false, "print what tasks wrote to standard output alone")
	cmd.MarkFlagsMutuallyExclusive("stdout", "stderr")
	f.BoolVarP(&l.verbose, "verbose", "v", false, "with several tasks, begin each line also with what its task reads or is given")
	f.BoolVarP(&l.follow, "follow", "f", false, "keep printing until the job ends")
	_ = cmd.RegisterFlagCompletionFunc("stage", l.CompleteStages)
	cmd.ValidArgsFunction = l.CompleteJobs()
	return cmd
}

func (l *logs) run(cmd *cobra.Command, id string) error {
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	c, view, j, err := l.Find(on.Asked, id)
	if err != nil {
		if l.follow {
			return unlessInterrupted(on.Asked, err)
		}
		return err
	}
	defer c.Close()
	q, err := l.query(j)
	if err != nil {
		return err
	}
	if !l.stdout && !l.stderr {
		q.Errors = cmd.ErrOrStderr()
	}
	err = view.Logs(on.Asked, j, q, cmd.OutOrStdout())
	switch {
	case l.follow:
		return unlessInterrupted(on.Asked, err)
	case errors.Is(err, client.ErrNothingLogged):
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", j.ID, err)
		return err
	case errors.Is(err, client.ErrNoAttempt) && j.Phase.Ended():
		return exit.With(exit.Error, fmt.Errorf("%s (%s) has no such attempt: lull why %s tells what happened", j.ID, j.Phase, j.ID))
	case errors.Is(err, client.ErrNoAttempt):
		return exit.With(exit.Error, fmt.Errorf("%w: lull job %s shows how far it is", err, j.ID))
	case errors.Is(err, client.ErrNoStage):
		return exit.With(exit.Usage, err)
	}
	return err
}

// query checks the flags against the job.
func (l *logs) query(j *ledger.Job) (client.LogQuery, error) {
	q := client.LogQuery{Stage: l.stage, Attempt: uint32(max(0, l.attempt)), Stderr: l.stderr, Follow: l.follow, Labels: l.verbose}
	if l.task < 0 {
		return q, nil
	}
	if l.stage == "" && len(j.Stages) > 1 {
		return q, exit.With(exit.Usage, fmt.Errorf("--task %d of which stage? add --stage", l.task))
	}
	q.Task = new(uint32(l.task))
	return q, nil
}
