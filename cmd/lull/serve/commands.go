package serve

import (
	"lull/cmd/lull/serve/build"
	"lull/cmd/lull/serve/doctor"
	"lull/cmd/lull/serve/flags"

	"github.com/spf13/cobra"
)

// Commands returns the subcommands that run services, and those that look at
// the machine.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		upCommand(), serverCommand(),
		admissionCommand(), slotterCommand(), classifierCommand(), placerCommand(), monitorCommand(), agentCommand(),
		doctor.Command(), repairCommand(), permissionsCommand(), versionCommand(),
	}
}

func versionCommand() *cobra.Command {
	output := "text"
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version and what this binary was built from", Args: flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			build := build.This()
			return flags.Print(cmd.OutOrStdout(), output, build, func() string { return build.String() })
		},
	}
	flags.Output(cmd, &output)
	return cmd
}
