// Package replay holds `lull sim`, which replays monitoring data and jobs in virtual time.
package replay

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{simCommand()}
}
