package contain

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// What scripts write to in place of a file, and what a program with a terminal of its own needs, is open behind the fence; a terminal only
// where no other task has the same user.
func TestDevices(t *testing.T) {
	if ABI() == 0 {
		t.Skip("needs Landlock")
	}
	for name, p := range map[string]Policy{"a user for all": {}, "a user a slot": {Base: 1 << 31}} {
		devices := p.Devices()
		opened, err := behind(devices, "/dev/zero", "/dev/full", "/dev/ptmx")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"/dev/zero", "/dev/full"}
		if p.Base != 0 {
			want = append(want, "/dev/ptmx")
		}
		if !slices.Equal(opened, want) {
			t.Errorf("%s: tasks could write to %q behind a fence with %q, want %q", name, opened, devices, want)
		}
	}
}

// behind opens devices behind a fence that allows writing to some, on a thread that ends with it, and returns those that it could open.
func behind(allowed []string, devices ...string) (opened []string, err error) {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: no other goroutine is to be behind the fence
		fence, err := Fence(ABI(), Access{Write: allowed})
		if err == nil {
			err = errors.Join(unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), Restrict(fence), unix.Close(fence))
		}
		for _, path := range devices {
			if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
				_ = f.Close()
				opened = append(opened, path)
			}
		}
		done <- err
	}()
	err = <-done
	return opened, err
}
