package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/client/progress"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
	"lull/subjects/spec"
)

type submit struct {
	cli.Connection
	document
	format listing.Format
	line   lineFlags
	others others
	wait   bool
	dry    bool
}

func submitCommand() *cobra.Command {
	var s submit
	cmd := &cobra.Command{
		Use: "submit FILE | -- COMMAND", Short: "Submit a job, or a command, and print its id", Args: fileOrCommand,
		Long: `Submit a job from a YAML or JSON file ("-" is stdin) and print its id on stdout.
A command after -- becomes a job as for lull run, with the same placeholders. It does not
read this command's stdin, and lull logs shows what its tasks wrote. It runs in this
folder; with --nats, or files of --file, its tasks run in folders of their own.

Once the id is printed, the job is stored and cannot be lost. The verdict of
admission follows on stderr; exit code 4 means that the job was rejected. With
--wait the command shows the job until it ends, and exits with its outcome as
lull run does.

With --dry-run nothing is submitted. The command prints the verdict that the job
would get now: its predicted end with an interval, the jobs that it would delay, the
earliest safe deadline, and what was assumed about its tasks. Exit code 4 means that
it would be rejected.

With --after the job waits until another one has ended. Its deadline counts from now on
all the same, and the verdict counts the wait as far as the other's end is predicted. If
the other one ends otherwise, the job is cancelled.`,
		Example: `  JOB=$(lull submit night.yaml)
  lull submit --id night-42 night.yaml    # again, and it is still one job
  lull submit --dry-run night.yaml
  lull submit --nats nats://server:4222 night.yaml
  lull submit --after $JOB --after other-abc:any report.yaml
  lull submit --name thumbs -- convert {} -resize 10% {.}.png ::: *.jpg`,
		RunE: s.start,
	}
	s.Flags(cmd)
	s.FileFlags(cmd)
	s.DeadlineFlags(cmd)
	s.AtOnceFlag(cmd)
	s.replaceFlag(cmd)
	s.others.add(cmd)
	s.line.add(cmd)
	s.format.Flag(cmd)
	help.JSON(cmd, `The object of lull jobs; with --dry-run verdict, code, text, finish, soonest,
latest, deadline, slack, earliest, margin, mode, ahead, pushed and stages.`)
	cmd.Flags().BoolVar(&s.wait, "wait", false, "show the job until it ends")
	cmd.Flags().BoolVar(&s.dry, "dry-run", false, "print the verdict that the job would get, and submit nothing")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "wait")
	return cmd
}

// start submits the file or the command that it was given.
func (s *submit) start(cmd *cobra.Command, args []string) error {
	if cmd.ArgsLenAtDash() == 0 {
		return s.command(cmd, args)
	}
	if err := noLineFlags(cmd, args[0]); err != nil {
		return err
	}
	doc, err := s.Read(args[0], cmd.InOrStdin())
	if err != nil {
		return err
	}
	return s.run(cmd, doc, args[0])
}

// command submits a command line.
func (s *submit) command(cmd *cobra.Command, args []string) error {
	line, err := s.line.line(cmd, args)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if line.Each != nil && len(line.Each) == 0 {
		_, err := fmt.Fprintln(cli.Messages(cmd), noValues)
		return err
	}
	if s.Server.URL == "" { // hosts elsewhere need not have this folder
		if err := runHere(&line); err != nil {
			return err
		}
	}
	doc := line.Document()
	if err := s.SetDeadline(doc); err != nil {
		return err
	}
	return s.run(cmd, doc, fromLine)
}

// run submits a document. The path is that of its file.
func (s *submit) run(cmd *cobra.Command, doc *spec.Doc, path string) error {
	if err := s.others.set(doc); err != nil {
		return err
	}
	if s.dry {
		return s.dryRun(cmd, doc, path)
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	c, err := s.Connect(on.Asked)
	if err != nil {
		return err
	}
	defer c.Close()
	job, err := s.send(on.Asked, c, foldOnDemand(on.Asked, c), doc, path)
	if on.Asked.Err() != nil && err != nil && !errors.Is(err, errNotSent) {
		return exit.With(exit.Interrupted, errors.New("interrupted before the server acknowledged the job: it may be stored nevertheless (see `lull jobs`)"))
	}
	if err != nil {
		return err
	}
	if s.wait {
		_, _ = fmt.Fprintln(cmd.OutOrStdout(), job)
		return s.follow(cmd, on.Asked, c, job)
	}
	return s.verdict(cmd, on.Asked, c, job)
}

// follow shows the job. Ctrl-C ends the showing, not the job.
func (s *submit) follow(cmd *cobra.Command, ctx context.Context, c *client.Client, job string) error {
	screen := screenOf(&s.Output, cmd)
	defer screen.close()
	f, err := newFollower(ctx, c, screen)
	if err != nil {
		return err
	}
	f.job = job
	j, err := f.follow(ctx)
	if err != nil {
		return err
	}
	screen.close()
	if err := reportEnd(ctx, c, page.Detail(f.view.State, j, subjects.CPUSum{}), form{argv: os.Args}, s.Out(cmd)); err != nil {
		return err
	}
	return outcome(j.Phase)
}

// verdict waits a moment for admission's verdict and prints it.
func (s *submit) verdict(cmd *cobra.Command, ctx context.Context, c *client.Client, job string) error {
	line, err := c.Verdict(ctx, job)
	var pending *client.PendingError
	if err != nil && !errors.As(err, &pending) {
		return err
	}
	row := jobRow{ID: job, State: ledger.Submitted.String()}
	var text string
	if pending != nil {
		text = pendingText(pending.Memory)
	} else {
		row, text = rowOfLine(*line), verdictText(line, time.Now())+deadlineText(line)
		if advice := goOn(os.Args, line.Code, humane.Unix(line.Earliest)); advice != "" && line.State == ledger.Rejected.String() {
			text += "\n" + advice
		}
	}
	if err := s.print(cmd, row, text); err != nil {
		return err
	}
	if row.State == ledger.Rejected.String() {
		return outcome(ledger.Rejected)
	}
	return nil
}

func (s *submit) print(cmd *cobra.Command, row jobRow, verdict string) error {
	if s.format == listing.JSON {
		return listing.Object(cmd.OutOrStdout(), row)
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), row.ID)
	_, err := fmt.Fprintln(cli.Messages(cmd), verdict)
	return err
}

// pendingText describes a job that has no verdict yet.
func pendingText(memory subjects.Memory) string {
	if memory.Full {
		return "Stored. " + waitsText(memory)
	}
	return "Stored. Admission has not answered yet; `lull jobs` shows the verdict."
}

// verdictText describes a job that has its verdict.
func verdictText(line *subjects.JobLine, now time.Time) string {
	switch {
	case line.State == ledger.Rejected.String():
		return "Rejected: " + progress.Refused(line.Text, humane.Unix(line.Earliest), now)
	case line.State == ledger.Trying.String():
		return fmt.Sprintf("Too little is known of how long its tasks take: up to %d of each stage run first, then the verdict follows (lull why %s).", subjects.TrialTasks, line.Job)
	case line.State == ledger.Admitted.String() && line.Late:
		return "Admitted, but its deadline cannot be kept: it runs after the jobs whose deadlines can" + predictedText(line, now) + "."
	case line.State == ledger.Admitted.String() && line.Finish != 0:
		return "Admitted" + predictedText(line, now) + "."
	}
	return "State: " + line.State + "."
}

// deadlineText says which time the job's deadline is: a document may name it by a clock, or by a span.
func deadlineText(line *subjects.JobLine) string {
	if line.Deadline == 0 {
		return ""
	}
	return " Its deadline is " + humane.Stamp(humane.Unix(line.Deadline).Local()) + "."
}

// predictedText says when a job is predicted to finish. A job of brief tasks may have ended before this is
// printed.
func predictedText(line *subjects.JobLine, now time.Time) string {
	end := humane.Unix(line.Finish)
	if line.Finish == 0 || !end.After(now) {
		return ""
	}
	if line.Guessed {
		return ", guessed to finish " + humane.When(end, now) + " (how long tasks of one of its stages take is unknown)"
	}
	return ", predicted to finish " + humane.When(end, now)
}
