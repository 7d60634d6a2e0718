// Package jobs has the commands for people with jobs: run and submit them, look at them, change
// them.
package jobs

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{runCommand(), submitCommand(), validateCommand(), planCommand(), initCommand(), jobsCommand(), jobCommand(), statusCommand(), watchCommand(), logsCommand(), outputsCommand(), whyCommand(), cancelCommand(), retryCommand()}
}
