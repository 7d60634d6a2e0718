// Package hosts has the commands for people with hosts: what hosts do, how long their primaries wait,
// and orders to them.
package hosts

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{hostsCommand(), harmCommand(), pauseCommand(), resumeCommand(), drainCommand()}
}
