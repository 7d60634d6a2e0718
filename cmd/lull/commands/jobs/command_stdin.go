package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/adhoc"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/stdin"
	"lull/subjects/spec"
)

// findInput looks at stdin before anything starts. The task of a command gets it. Several tasks cannot share it, so
// bytes that are there already are refused, and later ones are reported.
func (r *run) findInput(cmd *cobra.Command, tasks int) (err error) {
	f, ok := cmd.InOrStdin().(*os.File)
	if !ok || r.of.each == "-" {
		return nil
	}
	if tasks == 1 {
		r.input, err = stdin.Of(f, r.Data)
	} else if stdin.Waiting(f) {
		err = fmt.Errorf("stdin holds bytes, which %d tasks cannot share: give each task a value with --each, name a file in the command, or add </dev/null", tasks)
	} else {
		go reportUnread(f, cmd.ErrOrStderr())
	}
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	return nil
}

// reportUnread prints a line if bytes come that no task reads.
func reportUnread(f *os.File, out io.Writer) {
	if stdin.Await(f) {
		_, _ = fmt.Fprintln(out, "lull: stdin holds bytes that no task reads: several tasks cannot share it")
	}
}

// giveInput passes stdin to the command's task. Services of this process read it as it comes. To others it is sent
// along, whole.
func (r *run) giveInput(on *interrupt.Interrupts, s *session, screen io.Writer, line *adhoc.Line) error {
	switch {
	case r.input == nil:
		return nil
	case s.local != nil:
		line.Stdin = r.input.Name()
		return nil
	}
	whole, err := r.wholeInput(on.Asked, screen)
	switch {
	case errors.Is(err, stdin.ErrTooLarge):
		return exit.With(exit.Usage, fmt.Errorf("stdin has more than %d MB, the most that is sent to a lull that is up or to other hosts: "+
			"name a file that they can read in the command, or run it with a --data folder of its own, where stdin has no bound", spec.MaxSent/1_000_000))
	case err != nil:
		return err
	case whole != nil: // it stays open, and so in its place, until this process ends
		line.Sent = stdin.PathOf(whole)
	}
	return nil
}

// wholeInput reads stdin to its end, and says that it waits for the end if that takes a while.
func (r *run) wholeInput(ctx context.Context, screen io.Writer) (whole *os.File, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		whole, err = r.input.Whole(os.TempDir(), spec.MaxSent)
	}()
	select {
	case <-done:
		return whole, err
	case <-ctx.Done():
		return nil, errNotSent
	case <-time.After(patience):
	}
	_, _ = fmt.Fprintln(screen, "Waiting for the end of stdin, which is sent along with the command. Without input, add </dev/null.")
	select {
	case <-done:
		return whole, err
	case <-ctx.Done():
		return nil, errNotSent
	}
}

// cancelWithoutInput cancels the job when stdin cannot be read any more: its task waits for bytes that do not come. The function
// it returns ends the watching.
func (r *run) cancelWithoutInput(on *interrupt.Interrupts, c *client.Client, job string) (stop func()) {
	over, end := context.WithCancel(on.Insisted)
	go func() {
		select {
		case <-r.input.Broken():
			_, _ = c.Cancel(over, client.Request{Job: job, Why: r.input.Err().Error()}) // the run ends with the error of the input
		case <-over.Done():
		}
	}()
	return end
}
