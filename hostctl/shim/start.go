package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/hostctl/lines"
	"lull/subjects"
)

const reasonTimeout = subjects.ReasonTimeout

// start runs a task, or says why it does not.
func (s *server) start(order Task) {
	if s.task != nil && s.task.Attempt == order.Attempt || s.ends.repeat(order.Attempt) {
		return
	}
	if s.task != nil || s.quit {
		s.ends.refuse(&StartFailed{Attempt: order.Attempt, Reason: subjects.ReasonSlot, Text: "the slot runs another attempt"})
		return
	}
	t := &task{Task: order, oomBefore: s.forker.groups.oomCounts(s.buf)}
	if fault := s.launch(t); fault != nil {
		s.ends.refuse(&StartFailed{Attempt: order.Attempt, Reason: fault.reason, Text: fault.text, Final: fault.final})
		return
	}
	s.task = t
}

// fault is why a task was not started.
type fault struct {
	reason, text string
	final        bool // it would be met again
}

// launch opens the task's input and output and forks.
func (s *server) launch(t *task) *fault {
	var out [2]int
	// The user that opens a pipe owns it, and only the owner may open it again by its name in
	// /dev/fd.
	if err := s.openInput(t); errors.Is(err, errBounds) {
		return &fault{reason: subjects.ReasonSlot, text: err.Error()}
	} else if err != nil {
		return &fault{subjects.ReasonInput, unreadable(err, t.Bounds.User), errors.Is(err, lines.ErrChanged)}
	}
	err := t.Bounds.User.As(func() (err error) {
		out, err = s.openOutput(t)
		return err
	})
	if err != nil {
		t.stdin.handedOver()
		_, _ = t.stdin.close()
		return &fault{reason: subjects.ReasonSlot, text: err.Error()}
	}
	t.start = time.Now()
	if t.Timeout > 0 {
		if frozen, known := s.forker.isFrozen(); known {
			s.frozen = frozen
		}
		t.clock.begin(t.start, s.frozen, &s.forker)
	}
	err = s.forker.begin(t, []uintptr{uintptr(t.stdin.fd), uintptr(out[0]), uintptr(out[1])})
	s.closeWriters(out)
	t.stdin.handedOver()
	if err != nil {
		_, _ = t.stdin.close()
		t.closeStreams()
		return explainFailure(err, &t.Task)
	}
	s.note.write(t.pid)
	t.sweepAt = t.start.Add(sweepEvery)
	t.stdin.feed(s.taken, t.Attempt, func() error {
		_ = s.forker.recede(false) // refused with the cgroups gone, which happens to no task that runs
		return t.reader().Become()
	})
	return nil
}

// openInput opens the task's input with the rights that the task has. A task that runs as the shim's own user
// may name a file in its document that the fence keeps it from reading.
func (s *server) openInput(t *task) error {
	open := func() error {
		return t.reader().As(func() (err error) {
			t.stdin, err = openInput(t.Stdin, s.null)
			return err
		})
	}
	named := t.Stdin.File != "" || t.Stdin.List != "" || len(t.Stdin.Ranges) > 0
	if !named || t.Stdin.Kept || len(t.Bounds.Hide) == 0 || !t.Bounds.User.IsAgent() {
		return open()
	}
	return s.forker.behindFence(t.Bounds, open)
}

// reader returns the user whose rights are used to read the input: the task's, or for the agent's
// own files the agent's.
func (t *task) reader() account.User {
	if t.Stdin.Kept {
		return account.User{}
	}
	return t.Bounds.User
}

// unreadable explains an input that cannot be opened by a user.
func unreadable(err error, by account.User) string {
	if !errors.Is(err, fs.ErrPermission) || by.IsAgent() {
		return err.Error()
	}
	return fmt.Sprintf("%v: tasks run as %s: let it read the file, chmod o+r, and enter the folders above, chmod o+x, "+
		"or start the agent with another --task-user", err, by)
}

// kill ends an attempt on the agent's word.
func (s *server) kill(k kill) {
	if s.task != nil && s.task.Attempt == k.Attempt {
		if s.task.reason == "" && k.Grace > 0 {
			s.task.tell(k.Why)
		}
		s.task.stop(s, time.Now(), ReasonKilled, "", k.Grace)
	}
}

// inputEnded checks how the feeding of a task's stdin ended. Half an input would give half a
// result, so the task is killed after a failure.
func (t *task) inputEnded(s *server) {
	if err := t.stdin.outcome(); err != nil {
		t.stop(s, time.Now(), subjects.ReasonInput, err.Error(), 0)
		t.final = errors.Is(err, lines.ErrChanged)
	}
}

// conclude reports a task whose processes are all gone, or cannot be killed.
func (s *server) conclude(t *task, left bool) {
	var err error
	e := &Exited{
		Attempt: t.Attempt, PID: t.pid, Start: t.start.UnixNano(),
		Seconds: t.end.Sub(t.start).Seconds(), CPU: t.cpu, MaxRSS: t.maxRSS,
	}
	e.In, err = t.stdin.close()
	if err != nil && t.reason == "" {
		t.reason, t.text = subjects.ReasonInput, err.Error()
		t.final = errors.Is(err, lines.ErrChanged)
	}
	e.Out = t.drainStreams(s.buf)
	e.Status, e.Reason, e.Text = s.verdict(t)
	e.Final = t.final && (e.Reason == subjects.ReasonInput || e.Reason == subjects.ReasonMemory)
	if left {
		e.Text += " (processes that cannot be killed are left)"
	}
	_ = unix.Close(t.pidfd)
	if !t.firstKillAt.IsZero() {
		s.forker.freeze(false) // the next task would start frozen
	}
	// A task with the rights of root could have changed the mounts, if no fence kept it from that.
	s.forker.shm.clear(left || s.forker.abi == 0 && t.Bounds.User.IsAgent())
	s.task = nil
	s.ends.finish(e)
}

// shellSignal is what a shell adds to the number of the signal that ended its last
// command.
const shellSignal = 128

// verdict says how the main process ended, and why. What we did to it ourselves
// comes first: it explains the rest.
func (s *server) verdict(t *task) (status int, reason, text string) {
	status = t.status.ExitStatus()
	if t.status.Signaled() {
		status = -int(t.status.Signal())
	}
	switch now := s.forker.groups.oomCounts(s.buf); {
	case t.reason != "":
		return status, t.reason, t.text
	case now.kills > t.oomBefore.kills: // whatever the status: a pipe hides its end
		if t.final = now.ownLimit(t.oomBefore); !t.final {
			return status, subjects.ReasonMemory, "it was killed because its host had no memory left"
		}
		return status, subjects.ReasonMemory, "it went over its memory limit"
	case status == 0:
		return 0, "", t.logTrouble()
	case status == -int(unix.SIGXFSZ) && s.fileSize > 0:
		return status, subjects.ReasonSignal, fmt.Sprintf("a file of it grew beyond the %d MB that a task may write to one (--task-file-size)", s.fileSize>>20)
	case status == shellSignal+int(unix.SIGXFSZ) && s.fileSize > 0:
		return status, subjects.ReasonExit, fmt.Sprintf("a shell says that a file grew too large: a task may write %d MB to one (--task-file-size)", s.fileSize>>20)
	case status < 0:
		return status, subjects.ReasonSignal, "killed by " + unix.SignalName(t.status.Signal())
	}
	if missing := t.absent(status); missing != nil {
		return missing.status, missing.reason, missing.text
	}
	return status, subjects.ReasonExit, t.logTrouble()
}
