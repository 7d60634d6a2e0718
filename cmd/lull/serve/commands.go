package serve

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
)

// Commands returns the subcommands that run services, and those that look at
// the machine.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		upCommand(), serverCommand(),
		admissionCommand(), slotterCommand(), monitorCommand(), agentCommand(),
		doctorCommand(), repairCommand(), permissionsCommand(), versionCommand(),
	}
}

// noArgs makes a stray word an error of usage.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return exit.With(exit.Usage, fmt.Errorf("`%[1]s` takes no arguments, and %[2]q is one; see `%[1]s --help`", cmd.CommandPath(), args[0]))
}

func versionCommand() *cobra.Command {
	output := "text"
	cmd := &cobra.Command{
		Use: "version", Short: "Say what this binary was built from", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			build := ThisBuild()
			return show(cmd.OutOrStdout(), output, build, func() string { return build.String() })
		},
	}
	outputFlag(cmd, &output)
	return cmd
}

// String is one line for people.
func (b Build) String() string {
	line := []string{"lull " + b.Version}
	if b.Revision != "" {
		commit := "commit " + b.Revision[:min(12, len(b.Revision))]
		if b.Modified {
			commit += " with changes"
		}
		line = append(line, commit)
	}
	return fmt.Sprintf("%s (%s, %s)", strings.Join(line, ", "), b.Go, b.Platform)
}
