package contain

import (
	"os"
	"slices"
)

// Devices are the devices that tasks may write to, those of them that the host has: what is written there is gone,
// or fails as on a full disk. Where each slot's tasks have a user of their own, so are pseudo-terminals, which belong to the
// user that opened them. Tasks that share a user could read and write what others of it type.
func (p Policy) Devices() []string {
	devices := []string{"/dev/full", "/dev/zero"}
	if p.Base != 0 {
		devices = append(devices, "/dev/ptmx", "/dev/pts")
	}
	return slices.DeleteFunc(devices, func(path string) bool {
		_, err := os.Lstat(path)
		return err != nil
	})
}
