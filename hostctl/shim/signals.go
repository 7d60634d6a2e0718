package shim

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// restoreSignals has tasks start with the default effect of signals that this process was started to ignore: nohup
// ignores SIGHUP, and a shell without job control SIGINT in what it starts in the background. A shell cannot trap what
// was ignored when it began, so such a task would not see the signal with which it is warned or ended.
//
// Go's runtime gives signals with a handler their default effect in a process that it starts. So the ones that are
// ignored get a handler, which drops them.
func restoreSignals() {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return
	}
	dropped := make(chan os.Signal, 1)
	for _, s := range ignoredSignals(string(status)) {
		signal.Notify(dropped, s)
	}
}

// ignoredSignals returns the signals that are ignored by the process of a /proc/PID/status.
func ignoredSignals(status string) (ignored []os.Signal) {
	_, after, _ := strings.Cut(status, "\nSigIgn:")
	field, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
	mask, _ := strconv.ParseUint(field, 16, 64)
	for n := range 64 {
		if mask>>n&1 != 0 {
			ignored = append(ignored, syscall.Signal(n+1))
		}
	}
	return ignored
}

// unblockSignals has processes that the calling thread forks start with no signal blocked, whatever the process that
// started the agent had blocked. The thread must not go on to anything else.
func unblockSignals() error {
	return unix.PthreadSigmask(unix.SIG_SETMASK, &unix.Sigset_t{}, nil)
}
