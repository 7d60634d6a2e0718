package shim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// spawn starts the command in the cgroups of the shims, where there are some.
func spawn(cmd *exec.Cmd, cfg Config) error {
	defer cmd.Stderr.(*os.File).Close() //nolint:errcheck // the shim has its own
	if cfg.Slot == nil {
		return cmd.Start()
	}
	if cfg.Slot.Home() != "" {
		home, err := os.Open(cfg.Slot.Home())
		if err != nil {
			return err
		}
		defer home.Close() //nolint:errcheck // read only
		cmd.SysProcAttr.UseCgroupFD = true
		cmd.SysProcAttr.CgroupFD = int(home.Fd())
	}
	return onThread(func() error {
		for _, group := range cfg.Slot.Keeps() {
			if err := enroll(group); err != nil {
				return fmt.Errorf("join cgroup: %w", err)
			}
		}
		return cmd.Start()
	})
}

// enroll puts the calling thread into a v1 cgroup, and what it starts. No other may be
// moved: that would have to wait for everybody on the host who is about to fork or to end
// (cgroup.Hurry).
func enroll(group string) error {
	fd, err := unix.Open(filepath.Join(group, "tasks"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		_, err = unix.Write(fd, []byte("0"))
		_ = unix.Close(fd)
	}
	return err
}
