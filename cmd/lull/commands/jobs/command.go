package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"lull/client/progress"
	"lull/cmd/lull/commands/adhoc"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// command runs a command line as a job, and prints what its tasks write.
func (r *run) command(cmd *cobra.Command, args []string) (err error) {
	line, err := r.of.line(cmd, args)
	if err == nil {
		err = r.of.pick(&line)
	}
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	results := &adhoc.Results{Line: line, Out: on.Output(cmd.OutOrStdout()), Err: cmd.ErrOrStderr()}
	if err := r.of.results(results); err != nil {
		return err
	}
	if results.Line.Total() == 0 {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), nothing(line))
		return results.Close()
	}
	if err := r.findInput(cmd, results.Line.Total()); err != nil {
		return errors.Join(err, results.Close())
	}
	defer r.input.Close()   //nolint:errcheck // what was kept is not needed any more
	if r.Server.URL == "" { // hosts elsewhere need not have this folder
		if err := runHere(&results.Line); err != nil {
			return err
		}
		if results.Line.Dir != "" {
			r.writable = []string{results.Line.Dir}
		}
	}
	screen := r.screen(cmd, results)
	defer screen.close()
	session, err := r.openSession(on, screen)
	if on.Asked.Err() != nil && errors.Is(err, context.Canceled) {
		return errNotSent
	}
	if err != nil {
		return err
	}
	r.left.end(on.Asked, session.client, screen)
	if err = r.giveInput(on, session, screen, &results.Line); err == nil {
		err = r.followCommand(on, session, screen, results)
	}
	if on.Insisted.Err() == nil && results.Failed > 0 && session.local == nil && results.Line.Dir != "" {
		_, _ = fmt.Fprintf(screen, foreign, results.Line.Dir)
	}
	return session.end(on, err, cmd.ErrOrStderr())
}

// failures names the commands that failed.
func failures(out io.Writer, results *adhoc.Results) {
	if results.Failed > 0 {
		_, _ = fmt.Fprintf(out, "failed: %s\n", results.Failures())
	}
}

// screen is where the progress of several commands is drawn, if stderr is a terminal. What they write appears above
// it. Elsewhere, and beside the output of one command, it is only said why nothing runs.
func (r *run) screen(cmd *cobra.Command, results *adhoc.Results) screen {
	tty, ok := cli.Terminal(cmd.ErrOrStderr())
	if !ok || results.Line.Single() {
		return &waiting{Writer: cli.Messages(cmd)}
	}
	painter := r.Painter(tty)
	results.Err = painter.Beside(results.Err)
	if _, ok := cli.Terminal(cmd.OutOrStdout()); ok {
		results.Out = painter.Beside(results.Out)
	}
	return &drawing{Painter: painter, tty: tty}
}

// nothing says why there is nothing to run.
func nothing(line adhoc.Line) string {
	if line.Pick != nil {
		return "the job log has every task as done: nothing to run"
	}
	return noValues
}

// foreign explains failed commands that ran in a pool where tasks have fewer rights than in one that the
// command starts itself.
const foreign = `(The lull that was already up ran it: its tasks may write to this folder only if it was started with
--task-write %s.)
`

// followCommand submits the job of a command and shows what its tasks write until its end.
func (r *run) followCommand(on *interrupt.Interrupts, session *session, screen screen, results *adhoc.Results) error {
	doc := results.Line.Document()
	if err := r.SetDeadline(doc); err != nil {
		return err
	}
	r.SetAtOnce(doc)
	if r.waited {
		preferLate(doc)
	}
	f, err := newFollower(on.Insisted, session.client, screen)
	if err != nil {
		return err
	}
	if f.job, err = r.send(on.Asked, session.client, func() (*ledger.State, error) { return f.view.State, nil }, doc, fromLine); err != nil {
		return err
	}
	r.left.note(session.client, f.job)
	interrupted := cancelOn(on, session.client, f.job, screen)
	defer r.cancelWithoutInput(on, session.client, f.job)()
	o := &outputReader{ctx: on.Insisted, client: session.client, view: f.view, job: f.job, results: results, screen: screen}
	f.view.Each = o.takeEntry
	j, err := f.follow(session.withServices(on.Insisted))
	unshown := errors.Join(o.failed, results.Close())
	if err != nil {
		return errors.Join(err, unshown)
	}
	r.left.ended()
	screen.close()
	session.view = f.view
	if err := r.input.Err(); err != nil {
		return errors.Join(err, unshown)
	}
	if interrupted() && (j.Phase == ledger.Cancelled || on.Unwritten() != nil) {
		if !results.Line.Single() && on.Unwritten() == nil {
			_, _ = fmt.Fprintln(screen, results.Stopped())
			failures(screen, results)
		}
		return on.Exit()
	}
	return errors.Join(unshown, ended(j, o, screen))
}

// ended returns the outcome of a command: of a single one its own exit status, of several that of a
// job that failed if any of them did.
func ended(j *ledger.Job, o *outputReader, out io.Writer) error {
	switch {
	case j.Phase == ledger.Rejected:
		_, _ = fmt.Fprintf(out, "rejected: %s\n", j.Text)
		if advice := goOn(os.Args, j.Code, humane.Unix(j.Earliest)); advice != "" {
			_, _ = fmt.Fprintln(out, advice)
		}
		return outcome(j.Phase)
	case o.results.Line.Single() && o.exit != 0:
		return exit.With(o.exit, nil)
	case j.Phase == ledger.Cancelled && !o.halted:
		_, _ = fmt.Fprintf(out, "%s was cancelled: %s\n", j.ID, j.Text)
		return outcome(j.Phase)
	case o.results.Failed > 0:
		text := fmt.Sprintf("%d of %d commands failed", o.results.Failed, o.results.Ended)
		if o.halted && j.Phase == ledger.Cancelled {
			text += ", and the others were ended (--halt)"
		} else if j.Code == subjects.ReasonNotFound && o.results.Ended < o.results.Line.Total() {
			text = fmt.Sprintf("%d of %d commands failed, and the others did not run: no host has the command", o.results.Failed, o.results.Line.Total())
		}
		_, _ = fmt.Fprintln(out, text)
		failures(out, o.results)
		return exit.With(exit.Failed, nil)
	case j.Phase != ledger.Finished:
		_, _ = fmt.Fprintf(out, "%s %s: %s\n", j.ID, j.Phase, cmp.Or(j.Text, j.Code))
		return outcome(j.Phase)
	}
	if kept := progress.Kept(j.Phase, humane.Unix(j.Deadline), humane.Unix(j.Ended)); kept != "" {
		_, _ = fmt.Fprintln(out, kept)
	}
	return nil
}

// waiting prints on stderr, once, why nothing runs, if that lasts for a while.
type waiting struct {
	io.Writer
	printed bool
}

func (w *waiting) show(v progress.View) {
	whole := v.Whole()
	if w.printed || whole.Done+whole.Held > 0 || v.Phase.Ended() || v.Now.Sub(v.Since) < patience {
		return
	}
	w.printed = true
	_, _ = fmt.Fprintln(w, progress.Line(v))
}

func (w *waiting) close() {}
