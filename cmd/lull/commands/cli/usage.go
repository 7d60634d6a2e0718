package cli

import (
	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
)

// UsageErrors gives a wrong number of arguments the exit code of a wrong
// command line.
func UsageErrors(cmd *cobra.Command) {
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return exit.With(exit.Usage, hint(cmd, err))
		}
		return nil
	}
}
