// Package past holds the commands about what the pool keeps of its primaries' past: what that is,
// and the import of what another monitoring recorded.
package past

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command { return []*cobra.Command{historyCommand()} }
