package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/actors"
	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

type watch struct {
	cli.Connection
	json   bool
	events bool
	from   uint64
}

func watchCommand() *cobra.Command {
	var w watch
	cmd := &cobra.Command{
		Use: "watch [JOB]", Short: "Show the progress of a job, or of all open jobs", Args: cli.ArgCount(0, 1),
		Long: `Show a job until it ends; the exit code is its outcome, as with lull run. Without
JOB, show all open jobs until Ctrl-C; if none is open and the output is no terminal,
say so and end. Ctrl-C ends the display, not the jobs.

--json prints the job's events from its submission on, one JSON object a line, and
the same last line as lull run --json.

--events prints the events of the whole pool, of JOB alone if one is named, from now
on or from a place in the log (--from), until Ctrl-C. docs/events.md says what each event
means. After an interruption, a program continues with --from at the seq
after the last one that it has read.`,
		Example: `  lull watch
  lull watch wordcount-abc
  lull watch --events | jq -c 'select(.event == "job.failed")'`,
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd, args) },
	}
	w.Flags(cmd)
	cmd.Flags().BoolVar(&w.json, "json", false, "print events as JSON lines")
	cmd.Flags().BoolVar(&w.events, "events", false, "print the pool's events as JSON lines, until Ctrl-C")
	cmd.Flags().Uint64Var(&w.from, "from", 0, "with --events: first place in the log, 1 for all that it keeps (default: the next)")
	cmd.ValidArgsFunction = w.CompleteJobs(subjects.OpenJobs)
	return cmd
}

func (w *watch) run(cmd *cobra.Command, args []string) error {
	if w.from != 0 && !w.events {
		return exit.With(exit.Usage, errors.New("--from is for --events"))
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	w.Lingers = w.events || len(args) == 0
	c, err := w.Connect(on.Asked)
	if err != nil {
		return err
	}
	defer c.Close()
	if w.events {
		return w.tail(on, c, cmd.OutOrStdout(), args)
	}
	screen := screenOf(&w.Output, cmd)
	if w.json {
		screen = silent{cli.Messages(cmd)}
	}
	defer screen.close()
	f, err := newFollower(on.Asked, c, screen)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return w.all(cmd, on.Asked, f)
	}
	found, err := cli.FindIn(f.view, args[0])
	if err != nil {
		return err
	}
	f.job = found.ID
	return w.one(cmd, on.Asked, c, f)
}

func (w *watch) one(cmd *cobra.Command, ctx context.Context, c *client.Client, f *follower) error {
	if w.json {
		if err := w.past(cmd, ctx, c, f); err != nil {
			return err
		}
		f.view.Each = events(c.Pool(), f.job, cmd.OutOrStdout())
	}
	j, err := f.follow(ctx)
	if err != nil {
		return err
	}
	f.screen.close()
	if err := reportEnd(ctx, c, page.Detail(f.view.State, j, subjects.CPUSum{}), form{json: w.json}, w.Out(cmd)); err != nil {
		return err
	}
	return outcome(j.Phase)
}

// past prints what happened to the job up to where the view stands.
func (w *watch) past(cmd *cobra.Command, ctx context.Context, c *client.Client, f *follower) error {
	history, err := c.History(ctx, f.job)
	if err != nil {
		return err
	}
	for _, e := range history {
		if e.Seq <= f.view.State.Seq {
			printEvent(cmd.OutOrStdout(), e)
		}
	}
	return nil
}

// all shows every open job until the user has seen enough.
func (w *watch) all(cmd *cobra.Command, ctx context.Context, f *follower) error {
	if w.json {
		f.view.Each = func(e client.Entry) {
			if e.Change.Outcome != ledger.Void {
				printEvent(cmd.OutOrStdout(), e.Entry)
			}
		}
		return unlessInterrupted(ctx, f.view.Until(ctx, func() bool { return false }))
	}
	board := &board{follower: f, output: &w.Output, out: w.Out(cmd)}
	if tty, ok := cli.Terminal(cmd.OutOrStdout()); ok {
		return board.draw(ctx, tty)
	}
	views := board.views()
	if len(views) == 0 { // a script would wait for jobs that others may submit some day
		_, err := fmt.Fprintln(board.out, noneOpen)
		return err
	}
	_, _ = fmt.Fprintln(board.out, draw.Board(views))
	return board.print(ctx)
}

// tail prints events until Ctrl-C, or until nothing reads them any more.
func (w *watch) tail(on *interrupt.Interrupts, c *client.Client, out io.Writer, args []string) error {
	job := ""
	if len(args) > 0 {
		view, err := c.View(on.Asked)
		if err != nil {
			return err
		}
		found, err := cli.FindIn(view, args[0])
		if err != nil {
			return err
		}
		job = found.ID
	}
	out = on.Output(out)
	err := c.Events(on.Asked, w.from, func(e actors.Entry) error {
		if job == "" || subjects.JobOf(e.Event) == job {
			printEvent(out, e)
		}
		return nil
	})
	if on.Unwritten() != nil {
		return on.Exit()
	}
	return unlessInterrupted(on.Asked, err)
}
