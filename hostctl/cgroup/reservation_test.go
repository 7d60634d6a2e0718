package cgroup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/test/poll"
)

// perCore is more reservations than a core has room for.
const perCore = 40

// start runs a command until the end of the test, and returns its process.
func start(t *testing.T, name string, args ...string) int {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to reserve CPU")
	}
	cmd := exec.Command(name, args...)
	mustDo(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

// awaitEnd waits until a process has ended, and leaves a zombie.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		err = unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
	}
	mustDo(t, err)
}

// What is given to a zombie the kernel never takes back.
func TestZombiesGetNoReservation(t *testing.T) {
	for range perCore * runtime.NumCPU() {
		pid := start(t, "true")
		awaitEnd(t, pid)
		if has, err := reserveCPU(pid); has || err != nil {
			t.Fatalf("reserveCPU(a zombie) = %v, %v, want false", has, err)
		}
	}
	living := start(t, "sleep", "1000")
	if has, err := reserveCPU(living); !has || err != nil {
		t.Errorf("reserveCPU(a living process) = %v, %v, want true", has, err)
	}
}

// Processes that only wait for a lock leave the reservations to its owner.
func TestSleepersMakeRoom(t *testing.T) {
	var dying []int
	full := false
	for range perCore * runtime.NumCPU() {
		pid := start(t, "sleep", "1000")
		_, err := reserveCPU(pid)
		full = full || errors.Is(err, unix.EBUSY)
		dying = append(dying, pid)
	}
	if !full {
		t.Skip("needs a machine of so few cores that all can be reserved")
	}
	last := start(t, "sleep", "1000")
	dying = append(dying, last)
	for range 2 * len(dying) / maxReserved {
		if !new(Dying).GiveCPU(dying...) {
			t.Fatal("GiveCPU() = false, want true: processes are there")
		}
	}
	if attr, err := unix.SchedGetAttr(last, 0); err != nil || attr.Policy != unix.SCHED_DEADLINE {
		t.Errorf("scheduling of the last = %+v (%v), want the deadline class", attr, err)
	}
}

// What a reservation gives is taken from the primary: while processes end by themselves, none gets one.
// The kernel frees the reservations of what other tests killed only some time later, and has none left until then.
func TestProcessesThatEndAreNotHurried(t *testing.T) {
	var wrong string
	if !poll.Until(time.Minute, 100*time.Millisecond, func() bool {
		wrong = hurryWhileSomeEnd(t)
		return wrong == ""
	}) {
		t.Error(wrong)
	}
}

// hurryWhileSomeEnd gives CPU to new processes, some of which end from one look to the next, and says what was wrong.
func hurryWhileSomeEnd(t *testing.T) (wrong string) {
	var dying []int
	for range 4 * maxReserved {
		dying = append(dying, start(t, "sleep", "1000"))
	}
	d, gone := new(Dying), 0
	for _, look := range []struct{ ended, want int }{
		{0, maxReserved}, {maxReserved, 0}, {maxReserved - 1, maxReserved}, {0, maxReserved},
	} {
		gone += look.ended
		left := dying[gone:]
		before := hurried(left)
		d.GiveCPU(left...)
		if got := hurried(left) - before; got != look.want {
			return fmt.Sprintf("GiveCPU after %d of %d processes ended gives %d reservations, want %d", look.ended, len(left)+look.ended, got, look.want)
		}
	}
	return ""
}

// hurried counts the processes that have a reservation.
func hurried(pids []int) (n int) {
	for _, pid := range pids {
		if runtime, _ := reserved(pid); runtime > 0 {
			n++
		}
	}
	return n
}

// A process that may have no reservation, here because it is bound to some cores, is not inspected
// again and again.
func TestAProcessWithoutAReservationIsNotHurried(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("needs two cores")
	}
	pid := start(t, "sleep", "1000")
	var one unix.CPUSet
	one.Set(0)
	mustDo(t, unix.SchedSetaffinity(pid, &one))
	if _, err := reserveCPU(pid); !errors.Is(err, unix.EPERM) {
		t.Skipf("needs a kernel that reserves for a process on all cores only: %v", err)
	}
	if new(Dying).GiveCPU(pid) {
		t.Error("GiveCPU(a process that may have no reservation) = true, want false")
	}
}
