package interrupt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"lull/cmd/lull/exit"
)

// errOutput is the cause of an end that a failed write asked for.
var errOutput = errors.New("its output cannot be written")

// Output passes on what a command prints. The first write that fails, because the reader has gone
// or the disk is full, asks for an end as Ctrl-C does: the process is not ended by SIGPIPE.
func (i *Interrupts) Output(w io.Writer) io.Writer {
	signal.Notify(i.broken, syscall.SIGPIPE)
	return &output{w, i.ask}
}

type output struct {
	w   io.Writer
	ask context.CancelCauseFunc
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.ask(fmt.Errorf("%w: %w", errOutput, err))
	}
	return n, err
}

// Unwritten is why the output could not be written, nil if it could.
func (i *Interrupts) Unwritten() error {
	if cause := context.Cause(i.Asked); errors.Is(cause, errOutput) {
		return cause
	}
	return nil
}

// Exit is the outcome of a command that was asked to end, and said so.
func (i *Interrupts) Exit() error {
	switch err := i.Unwritten(); {
	case errors.Is(err, syscall.EPIPE):
		return exit.With(exit.Unread, nil)
	case err != nil:
		return exit.With(exit.Error, nil)
	}
	return exit.With(exit.Interrupted, nil)
}
