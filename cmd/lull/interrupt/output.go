package interrupt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"lull/cmd/lull/exit"
)

// errOutput is the cause of an end that a failed write asked for.
var errOutput = errors.New("its output cannot be written")

// Output passes on what a command prints. A write that fails, because the disk is full for
// instance, asks for an end as Ctrl-C does. So does the end of a pipe's reader: the process is not
// ended by SIGPIPE, and does not wait for its next write to notice.
func (i *Interrupts) Output(w io.Writer) io.Writer {
	signal.Notify(i.broken, syscall.SIGPIPE)
	if file, ok := w.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			go i.awaitReader(int32(file.Fd()))
		}
	}
	return &output{w, i.ask}
}

// awaitReader waits until nothing reads the pipe, or the command ends.
func (i *Interrupts) awaitReader(pipe int32) {
	const pause = 200 // milliseconds, until it looks whether the command ends
	for i.Asked.Err() == nil {
		fds := []unix.PollFd{{Fd: pipe}}
		if n, _ := unix.Poll(fds, pause); n > 0 && fds[0].Revents&unix.POLLERR != 0 {
			i.ask(fmt.Errorf("%w: %w", errOutput, syscall.EPIPE))
		}
	}
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

// Exit returns the outcome of a command that was asked to end, and printed that.
func (i *Interrupts) Exit() error {
	switch err := i.Unwritten(); {
	case errors.Is(err, syscall.EPIPE):
		return exit.With(exit.Unread, nil)
	case err != nil:
		return exit.With(exit.Error, nil)
	}
	return exit.With(exit.Interrupted, nil)
}
