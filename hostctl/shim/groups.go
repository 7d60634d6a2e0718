package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// groups are the slot's cgroups, opened.
type groups struct {
	unified int       // v2 cgroup of the tasks, -1 if none
	joins   []v1Group // to the tasks' v1 cgroups
	leaves  []v1Group // to those for a thread that has forked a task
	oom     int       // counter of memory kills, -1 if none
}

func noGroups() groups { return groups{unified: -1, oom: -1} }

// reopenGroups opens the slot's cgroups, in place of those that were open. If it fails, those stay:
// a task that cannot enter them does not start, while one with none to enter would run outside.
func (f *forker) reopenGroups() error {
	opened, err := f.openGroups()
	if err != nil {
		opened.close()
		return err
	}
	f.groups.close()
	f.groups = opened
	return nil
}

func (o options) openGroups() (g groups, err error) {
	g = noGroups()
	if o.unified != "" {
		g.unified, err = unix.Open(o.unified, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return g, fmt.Errorf("open cgroup %s: %w", o.unified, err)
		}
	}
	if g.joins, err = openV1Groups(o.joins); err != nil {
		return g, err
	}
	if g.leaves, err = openV1Groups(o.leaves); err != nil {
		return g, err
	}
	if o.oom != "" {
		if g.oom, err = unix.Open(o.oom, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return g, fmt.Errorf("watch %s: %w", o.oom, err)
		}
	}
	return g, nil
}

// gone reports whether a fork failed because the groups were removed. The kernel says
// of the v2 one what it says of a command that is not there, too.
func (g groups) gone(err error) bool {
	return errors.Is(err, unix.ENODEV) ||
		errors.Is(err, unix.ENOENT) && g.unified >= 0 && unix.Faccessat(g.unified, "cgroup.procs", unix.F_OK, 0) != nil
}

func (g groups) close() {
	for _, fd := range []int{g.unified, g.oom} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	for _, d := range slices.Concat(g.joins, g.leaves) {
		_ = unix.Close(d.fd)
	}
}

// v1Group is where a thread enters a v1 cgroup, by writing "0".
type v1Group struct {
	fd int
	// bounded means that the shim must stay outside, because it must not lack what a task uses up
	// there. A Go program that is refused a thread ends, one without memory cannot report how the
	// task ended, and a frozen one reads no orders.
	bounded bool
}

func openV1Groups(list string) (doors []v1Group, err error) {
	for _, dir := range paths(list) {
		d, err := openV1Group(dir)
		if err != nil {
			return doors, fmt.Errorf("open cgroup %s: %w", dir, err)
		}
		doors = append(doors, d)
	}
	return doors, nil
}

// openV1Group prepares for the threads of the shim that enter a v1 cgroup. Threads that fork enter all
// groups, since children inherit them. Threads that work for a task enter those that bound only
// speed. The shim itself stays outside, with the CPU that it needs to read an order to kill.
func openV1Group(dir string) (d v1Group, err error) {
	d.fd, err = unix.Open(filepath.Join(dir, "tasks"), unix.O_WRONLY|unix.O_CLOEXEC, 0)
	for _, bound := range []string{"pids.max", "memory.limit_in_bytes", "freezer.state"} {
		if _, err := os.Stat(filepath.Join(dir, bound)); err == nil {
			d.bounded = true
		}
	}
	return d, err
}

// join takes the calling thread into the group. "0" is the thread that writes: the kernel
// needs not stop the world for it, as it does for others (1.4 µs against milliseconds).
func (d v1Group) join() error {
	_, err := unix.Write(d.fd, []byte("0"))
	return err
}

// paths splits a list of cgroups.
func paths(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ':' })
}
