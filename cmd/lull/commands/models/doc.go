// Package models holds the commands about what was learnt of tasks and data nodes.
package models

import "github.com/spf13/cobra"

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{modelsCommand(), sourcesCommand(), identifyCommand()}
}
