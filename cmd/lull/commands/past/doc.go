// Package past holds the commands about the history of primaries that the pool keeps: listing it, and
// importing what another monitoring system recorded.
package past

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command { return []*cobra.Command{historyCommand()} }
