package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"lull/hostctl/shim"
)

// apart is the environment variable that marks the process with mounts of its own.
const apart = "LULL_TEST_APART"

// TestMain makes this binary serve as the shim, and as the parts of tasks that a shell cannot play.
// The tests run in a mount namespace of their own, so that the small disk for tasks to fill ends
// with them.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "shim":
			os.Exit(shim.Main(os.Args[2:]))
		case "thrash":
			thrash()
		case "descriptors":
			hoard()
		}
	}
	if os.Geteuid() == 0 && os.Getenv(apart) == "" {
		os.Exit(again())
	}
	os.Exit(m.Run())
}

// again runs the tests in a mount namespace of their own.
func again() int {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), apart+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "mounts of our own:", err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

// thrash reads and writes more memory than caches hold, line by line, in an
// order that no prefetcher guesses.
func thrash() {
	const size, line = 64 << 20, 64
	b := make([]byte, size)
	for at := uint64(1); ; at = at*6364136223846793005 + 1442695040888963407 {
		b[(at>>20)%(size/line)*line]++
	}
}

// hoard opens as many files as it may, and keeps them.
func hoard() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		limit.Cur = limit.Max
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
	for {
		if _, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0); err != nil {
			_ = syscall.Pause()
		}
	}
}
