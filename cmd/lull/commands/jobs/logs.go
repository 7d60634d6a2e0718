package jobs

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/client/story"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/subjects/ledger"
)

type logs struct {
	cli.Connection
	pick
	stderr bool
	follow bool
}

func logsCommand() *cobra.Command {
	var l logs
	cmd := &cobra.Command{
		Use: "logs JOB", Short: "Print what a job's tasks wrote", Args: cli.Wants(1, 1),
		Long: `Print what the last attempt of each task wrote to its standard output, also while
it runs. Lines of several tasks begin with their stage and task.`,
		Example: `  lull logs wordcount-abc
  lull logs --follow wordcount-abc
  lull logs --stage map --task 3 --stderr wordcount-abc`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd, args[0]) },
	}
	l.Flags(cmd)
	l.attemptFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&l.stderr, "stderr", false, "standard error in place of standard output")
	f.BoolVarP(&l.follow, "follow", "f", false, "go on until the job ends")
	_ = cmd.RegisterFlagCompletionFunc("stage", l.CompleteStages)
	cmd.ValidArgsFunction = l.CompleteJobs()
	return cmd
}

func (l *logs) run(cmd *cobra.Command, id string) error {
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	c, view, j, err := l.Find(on.Asked, id)
	if err != nil {
		return err
	}
	defer c.Close()
	chosen, err := l.of(j)
	if err != nil {
		return err
	}
	if l.follow {
		return quiet(on.Asked, l.live(on.Asked, c, view, j, chosen, cmd.OutOrStdout()))
	}
	history, err := c.History(on.Asked, j.ID)
	if err != nil {
		return err
	}
	return l.past(on.Asked, c, view.State, j, chosen.among(story.AttemptsOf(history)), cmd.OutOrStdout())
}

// past prints the chosen attempts one after the other. One that cannot be read
// does not hide the rest.
func (l *logs) past(ctx context.Context, c *client.Client, s *ledger.State, j *ledger.Job, attempts []*story.Attempt, out io.Writer) error {
	if len(attempts) == 0 {
		return exit.With(exit.Error, fmt.Errorf("%s has no such attempt yet: lull job %s shows how far it is", j.ID, j.ID))
	}
	var failed error
	for _, a := range attempts {
		body, err := c.Log(ctx, s.Host(a.Host), a.ID, l.stream(), false)
		if err != nil {
			failed = fmt.Errorf("%s: %w", label(j, a), err)
			continue
		}
		err = l.copy(out, body, j, a, len(attempts) > 1)
		_ = body.Close()
		if err != nil {
			return err
		}
	}
	return failed
}

func (l *logs) stream() string {
	if l.stderr {
		return client.Stderr
	}
	return client.Stdout
}

// copy prints a log, each line with its task in front if there are several.
func (l *logs) copy(out io.Writer, body io.Reader, j *ledger.Job, a *story.Attempt, several bool) error {
	if !several {
		_, err := io.Copy(out, body)
		return err
	}
	return prefixed(out, body, label(j, a)+" | ")
}

// label names an attempt for people: map/3, and from the second on map/3#2.
func label(j *ledger.Job, a *story.Attempt) string {
	text := fmt.Sprintf("%s/%d", j.Shape.Stages[a.Stage].Name, a.Task)
	if a.Try > 1 {
		text += fmt.Sprintf("#%d", a.Try)
	}
	return text
}
