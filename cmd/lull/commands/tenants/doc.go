// Package tenants holds the commands about what was learnt of tenants.
package tenants

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{tenantsCommand(), classifyCommand()}
}
