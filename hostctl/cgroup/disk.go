package cgroup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Disk chooses the disk that SetDisk bounds, by a folder on it. It fails if it finds no disk behind
// the folder. It must not run beside other calls.
func (t *Tree) Disk(folder string) error {
	if !t.caps.DiskCap.OK() {
		return fmt.Errorf("bound of the disk: %w", ErrAbsent)
	}
	device, err := t.caps.disk(folder)
	if err != nil {
		return fmt.Errorf("find the disk of %s: %w", folder, err)
	}
	t.disk = device
	return nil
}

// SetDisk bounds how fast the agent's tasks read from the chosen disk, and how fast they write to
// it, each in bytes/s. 0 lifts the bounds.
//
// On v1 the bound covers reads and direct writes only. The kernel's own threads write the page
// cache back later, and they are in no group.
func (t *Tree) SetDisk(bytesPerSecond int64) error {
	m := t.caps.DiskCap
	switch {
	case !m.OK():
		return fmt.Errorf("bound of the disk: %w", ErrAbsent)
	case t.disk == "":
		return fmt.Errorf("bound of the disk: no disk is known: %w", ErrAbsent)
	}
	return t.Settings.set(t.in(m), diskFiles[m.Version], func() error { return boundDisk(t.in(m), m.Version, t.disk, bytesPerSecond) })
}

// diskFiles are the files of rates by version; v1 has one a direction.
var diskFiles = map[int][]string{1: {"blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device"}, 2: {"io.max"}}

func boundDisk(d dir, version int, device string, rate int64) (err error) {
	if version == 2 {
		most := orMax(rate, "max")
		return d.write("io.max", fmt.Sprintf("%s rbps=%s wbps=%s", device, most, most))
	}
	for _, file := range diskFiles[1] {
		err = errors.Join(err, d.write(file, fmt.Sprintf("%s %d", device, max(rate, 0))))
	}
	return err
}

// freeDisks lifts the bounds of all disks, also of those that only a dead agent
// knew.
func (t *Tree) freeDisks() error {
	m := t.caps.DiskCap
	if !m.OK() {
		return nil
	}
	var all error
	for _, file := range diskFiles[m.Version] {
		bound, err := readFile(t.in(m), file, parseDevices)
		for _, device := range bound {
			err = errors.Join(err, boundDisk(t.in(m), m.Version, device, 0))
		}
		all = errors.Join(all, err)
	}
	return all
}

// parseDevices reads the first field of each line: a device that is bound.
func parseDevices(r io.Reader) (devices []string, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if device, _, ok := strings.Cut(lines.Text(), " "); ok {
			devices = append(devices, device)
		}
	}
	return devices, lines.Err()
}
