package serve

import "github.com/spf13/cobra"

func admissionCommand() *cobra.Command { return nil }
func slotterCommand() *cobra.Command   { return nil }
func monitorCommand() *cobra.Command   { return nil }
func agentCommand() *cobra.Command     { return nil }
func doctorCommand() *cobra.Command    { return nil }
