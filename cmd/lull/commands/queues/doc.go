// Package queues holds the commands about the queues that share a pool.
package queues

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{queuesCommand(), queueCommand()}
}
