package shim

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/hostctl/contain"
	"lull/subjects"
)

// forker forks the processes of tasks into the slot's cgroups, and kills the processes that a task leaves
// there. Tasks inherit their restrictions from the thread that forks them.
type forker struct {
	options
	groups   groups
	abi      int             // version of the kernel's Landlock, 0 if it has none
	hidden   *contain.Hidden // what the last task could not read; nil for nothing
	shm      ownShm
	score    int    // descriptor of the shim's oom_score_adj, -1 if that cannot be written
	ownScore string // the shim's own score, which it has except while it forks
}

// fork starts the task's process with the three files as its standard streams.
//
// The process has a process group of its own, but stays in the shim's session. Without cgroups the kernel
// divides the CPU between sessions first (autogroup), and a nice value counts only within a session. The
// process is cloned into the v2 cgroup and inherits the v1 groups of the thread that forks it, so it never
// runs outside them. It changes its user after that, because only root may enter the cgroups.
func (f *forker) fork(t *task, files []uintptr) (err error) {
	var path string
	err = t.Bounds.User.As(func() (err error) {
		path, err = resolveCommand(t.Argv, t.Env, t.Dir)
		return err
	})
	if err != nil {
		return err
	}
	attr := syscall.ProcAttr{Dir: t.Dir, Env: t.Env, Files: files, Sys: &syscall.SysProcAttr{
		Setpgid: true, PidFD: &t.pidfd, UseCgroupFD: f.groups.unified >= 0, CgroupFD: max(0, f.groups.unified),
		Credential: credential(t.Bounds.User),
	}}
	// A child inherits the OOM score, and may start children of its own before the shim could change
	// it. So the shim sets its own score to the task's during the fork, while the slot is still empty.
	f.setScore(taskScore)
	t.pid, err = syscall.ForkExec(path, t.Argv, &attr)
	f.setScore(f.ownScore)
	return err
}

// begin forks the task with these files. If the slot's cgroups are gone it looks for new ones of
// the same names (cgroup.Slot.Recreate) and tries once more.
func (f *forker) begin(t *task, files []uintptr) error {
	fork := func() error { return f.fork(t, files) }
	err := f.onThrowawayThread(t, fork)
	if err == nil || !f.groups.gone(err) {
		return err
	}
	if err := f.reopenGroups(); err != nil {
		return fmt.Errorf("%w: %w", errBounds, err)
	}
	return f.onThrowawayThread(t, fork)
}

// credential returns nil for the shim's own user. Any other user gets its own group only: the process
// loses all supplementary groups.
func credential(u account.User) *syscall.Credential {
	if u.IsAgent() {
		return nil
	}
	return &syscall.Credential{Uid: u.UID, Gid: u.GID}
}

func (f *forker) setScore(score string) {
	if f.score >= 0 {
		_, _ = unix.Pwrite(f.score, []byte(score), 0) // the shim checked at its start that it may write here
	}
}

// explainFailure turns a failed fork into a reason and a text that names the cause: exec returns ENOENT
// for a missing folder and a missing interpreter, too.
func explainFailure(err error, t *Task) *fault {
	command := strings.Join(t.Argv[:min(1, len(t.Argv))], "")
	switch {
	case errors.Is(err, errBounds):
		return &fault{reason: subjects.ReasonSlot, text: err.Error()}
	case t.Dir != "" && errors.Is(t.enters(t.Dir), unix.EACCES):
		return &fault{reason: subjects.ReasonNotFound, text: fmt.Sprintf("working folder %s may not be entered%s", t.Dir, t.asWhom())}
	case t.Dir != "" && t.enters(t.Dir) != nil:
		return &fault{reason: subjects.ReasonNotFound, text: fmt.Sprintf("working folder %s does not exist on this host", t.Dir)}
	case errors.Is(err, unix.ENOENT) && errors.As(t.isDOS(command), new(*dosError)):
		return &fault{reason: subjects.ReasonNotFound, text: t.isDOS(command).Error()}
	case errors.Is(err, unix.ENOENT):
		return &fault{reason: subjects.ReasonNotFound, text: notFound(command, err)}
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return &fault{reason: subjects.ReasonNotFound, text: notExecutable(command, err, t)}
	case errors.Is(err, unix.ENOEXEC):
		return &fault{reason: subjects.ReasonNotFound, text: fmt.Sprintf("command %q is no program for this host, and has no #! line", command)}
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM):
		return &fault{reason: subjects.ReasonSlot, text: fmt.Sprintf("the host cannot start a process now: %v", err)}
	}
	return &fault{reason: subjects.ReasonExit, text: fmt.Sprintf("start %q: %v", command, err)}
}

// errBounds says that the task's restrictions could not be put in force, so the task was not started.
var errBounds = errors.New("the task cannot be contained (see lull doctor, --contain)")

// enters returns an error if path is not a folder that the task's user can enter; EACCES if the user lacks
// the right. It checks as that user, so the error tells nothing that the user could not find out.
func (t *Task) enters(path string) error {
	return t.Bounds.User.As(func() error {
		var stat unix.Stat_t
		if err := unix.Stat(path, &stat); err != nil {
			return err
		}
		if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			return unix.ENOTDIR
		}
		return account.CheckAccess(path, unix.X_OK)
	})
}

// asWhom completes an error text about a missing right: it names the user that tasks run as, unless that is
// the shim's own user.
func (t *Task) asWhom() string {
	if t.Bounds.User.IsAgent() {
		return ""
	}
	return fmt.Sprintf(": tasks run as %s, which must be able to read it and to enter the folders above and the working folder: chmod o+rx", t.Bounds.User)
}
