package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/stdin"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
	"lull/subjects/spec"
)

type run struct {
	cli.Connection
	document
	json bool
	dry  bool

	waited   bool // somebody at a terminal waits for the end
	of       commandFlags
	input    *stdin.Input // of a command, nil for none
	left     abandoned
	writable []string // folders that tasks of services of this process may write to
}

func runCommand() *cobra.Command {
	var r run
	cmd := &cobra.Command{
		Use: "run FILE | -- COMMAND", Short: "Run one job, or one command, to its end, starting what it needs", Args: fileOrCommand,
		Long: `Run one job from a YAML or JSON file ("-" is stdin) and exit with its outcome.

Everything that the job needs is started in this process. If a lull already uses the
data folder, or --nats names a server, the job is submitted there instead. Ctrl-C
cancels the job and waits until it has ended; a second Ctrl-C leaves at once.

A command after -- runs in this folder, in the background class: once, in -n tasks, or
once for each line (--each) or value (after :::), which replaces {}. As with GNU
parallel, {.} is the value without its extension, {/} its last part, {//} its folder,
{/.} its last part without extension, {#} the task's number. Each ::: more makes every
combination with the lists before, :::+ links its values to those of the list before;
{1}, {2}, {2.} and so on are the values of one list. What a task wrote is printed when it
has ended. With --resume and --joblog a run goes on where an earlier one ended. The task of a single command reads the standard input of
lull run. The exit code of one command is its own; of several it is 3 if any failed.
Tasks may write to this folder, unless a lull that is already up runs them. With
--nats they run on other hosts, in folders of their own. Files and folders of --file
are sent along, and are in the tasks' folders on every host.

Exit codes: 0 finished, 1 error, 2 mistake in the file or the command line, 3 job
failed, 4 rejected, 5 cancelled, 6 NATS cannot be reached, 130 interrupted, 141 nothing
reads the output any more.

A deadline that cannot be kept has the job rejected (exit code 4), and the command says
with which command line it would run. At a terminal the job runs late instead, as with
--late run, unless the file or --late says otherwise.

--dry-run runs nothing: it starts what the job would need, waits until that is known well
enough, and prints what lull submit --dry-run prints.

--json prints the job's events, one JSON object a line, and as the last line
{"job":…,"state":"finished","tasks":N,"attempts":M,"evicted":E,"seconds":S}.`,
		Example: `  lull run examples/sweep.yaml
  lull run --set DAY=2026-11-21 report.yaml
  lull run --json job.yaml | tail -1
  lull run -- make -C big
  lull run -n 200 -- ./simulate --seed {#}
  lull run --nats nats://pool:4222 --file run.sh --file lib -- sh run.sh
  ls *.wav | lull run -j 4 --each - -- ffmpeg -i {} {.}.mp3
  find . -name '*.log' -print0 | lull run --each - -0 -- gzip
  lull run -k --tag -- ./fit --rate {1} --depth {2} ::: 0.1 0.2 ::: 3 5 8
  lull run --resume --joblog done --results out -- ./convert {} ::: *.wav
  sort big.csv | lull run -- ./count`,
		RunE: r.start,
	}
	r.Flags(cmd)
	r.FileFlags(cmd)
	r.DeadlineFlags(cmd)
	r.AtOnceFlag(cmd)
	r.replaceFlag(cmd)
	r.of.add(cmd)
	cmd.Flags().BoolVar(&r.json, "json", false, "print events as JSON lines")
	cmd.Flags().BoolVar(&r.dry, "dry-run", false, "print the verdict that the job would get, and run nothing")
	return cmd
}

// start runs the file or the command that it was given.
func (r *run) start(cmd *cobra.Command, args []string) error {
	r.waited = atTerminal(cmd)
	if cmd.ArgsLenAtDash() == 0 && r.dry {
		return exit.With(exit.Usage, errors.New("--dry-run is for job files, and a command follows --: lull submit --dry-run FILE asks for a verdict, too"))
	}
	if cmd.ArgsLenAtDash() == 0 {
		return r.command(cmd, args)
	}
	if err := noLineFlags(cmd, args[0]); err != nil {
		return err
	}
	return r.run(cmd, args[0])
}

// noLineFlags returns an error if a flag of commands is given with a job file.
func noLineFlags(cmd *cobra.Command, path string) error {
	if name := given(cmd, ofCommands); name != "" {
		return exit.With(exit.Usage, fmt.Errorf("--%s is for commands, and %s is a job file: write the command after --", name, path))
	}
	return nil
}

// fileOrCommand checks that there is either a file, or a command after the dash.
func fileOrCommand(cmd *cobra.Command, args []string) error {
	switch at := cmd.ArgsLenAtDash(); {
	case at == 0 && len(args) > 0 && args[0] == "":
		return errors.New("the COMMAND after -- is empty: is a variable unset?")
	case at == 0:
		return nil
	case at > 0:
		return fmt.Errorf("%q before --: give either a FILE, or a COMMAND after --", args[0])
	}
	switch len(args) {
	case 0:
		return errors.New("name a FILE, or write a COMMAND after --")
	case 1:
		return nil
	}
	return fmt.Errorf("`%s` takes one FILE, and %q is one more", cmd.CommandPath(), args[1])
}

func (r *run) run(cmd *cobra.Command, path string) error {
	doc, err := r.Read(path, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if r.waited {
		preferLate(doc)
	}
	if r.dry {
		return r.dryRun(cmd, doc, path)
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	screen := screenOf(&r.Output, cmd)
	if r.json {
		screen = silent{cli.Messages(cmd)}
	}
	defer screen.close()
	session, err := r.openSession(on, screen)
	if on.Asked.Err() != nil && errors.Is(err, context.Canceled) {
		return errNotSent
	}
	if err != nil {
		return err
	}
	r.left.end(on.Asked, session.client, screen)
	err = r.through(cmd, on, session, screen, doc, path)
	screen.close()
	return session.end(on, err, cmd.ErrOrStderr())
}

// atTerminal reports whether somebody at a terminal started the command.
func atTerminal(cmd *cobra.Command) bool {
	_, in := cli.Terminal(cmd.InOrStdin())
	_, messages := cli.Terminal(cmd.ErrOrStderr())
	return in && messages
}

// preferLate has a job run although its deadline cannot be kept, unless its document or a flag says otherwise. Somebody at a
// terminal waits for it, and would start it again.
func preferLate(doc *spec.Doc) {
	if doc.Deadline != "" && doc.Late == "" {
		doc.Late = spec.LateRun
	}
}

// through submits the job, shows it until its end, and says how it ended.
func (r *run) through(cmd *cobra.Command, on *interrupt.Interrupts, session *session, screen screen, doc *spec.Doc, path string) error {
	f, err := newFollower(on.Insisted, session.client, screen)
	if err != nil {
		return err
	}
	r.mayDeliver, r.ownAgent = true, session.local != nil
	if f.job, err = r.send(on.Asked, session.client, func() (*ledger.State, error) { return f.view.State, nil }, doc, path); err != nil {
		return err
	}
	if r.json {
		f.view.Each = events(session.client.Pool(), f.job, on.Output(cmd.OutOrStdout()))
	}
	r.left.note(session.client, f.job)
	interrupted := cancelOn(on, session.client, f.job, screen)
	j, err := f.follow(session.withServices(on.Insisted))
	if err != nil {
		return err
	}
	r.left.ended()
	screen.close()
	if err := reportEnd(on.Insisted, session.client, page.Detail(f.view.State, j, subjects.CPUSum{}), form{json: r.json, carried: r.deliverTo != "", argv: os.Args}, r.Out(cmd)); err != nil {
		return err
	}
	if !r.json {
		r.advise(session, j, f.view.State, r.Out(cmd))
	}
	if err := r.deliver(on.Insisted, session.client, f.view, j, cmd.ErrOrStderr()); err != nil {
		return fmt.Errorf("%s has finished, but its results were not delivered (lull outputs %s --to DIR fetches them): %w", j.ID, j.ID, err)
	}
	session.view = f.view
	if interrupted() && j.Phase == ledger.Cancelled {
		return on.Exit()
	}
	return outcome(j.Phase)
}

func newFollower(ctx context.Context, c *client.Client, s screen) (*follower, error) {
	view, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	usage, err := c.Usage(ctx)
	if err != nil {
		return nil, err
	}
	return &follower{client: c, view: view, usage: usage, screen: s}, nil
}
