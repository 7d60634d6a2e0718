// Package taskuser makes agents of tests run tasks as the user of the test.
package taskuser

import "os"

// Flags make an agent of root run tasks as root, for data folders that are root's alone, such
// as temporary ones. Agents of other users run tasks as themselves without a flag.
func Flags() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"--task-user", "root"}
}
