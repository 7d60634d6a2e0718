package commands

import (
	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
)

// Commands returns the subcommands for people who have jobs, or hosts.
func Commands() []*cobra.Command {
	all := []*cobra.Command{
		runCommand(), submitCommand(),
		jobsCommand(), jobCommand(), watchCommand(), logsCommand(), outputsCommand(), whyCommand(),
		cancelCommand(), retryCommand(),
		hostsCommand(), harmCommand(), modelsCommand(), sourcesCommand(), queuesCommand(), queueCommand(), identifyCommand(), simCommand(), pauseCommand(), resumeCommand(), drainCommand(),
	}
	for _, cmd := range all {
		usageErrors(cmd)
	}
	return all
}

// usageErrors gives a wrong number of arguments the exit code of a wrong
// command line.
func usageErrors(cmd *cobra.Command) {
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return exit.With(exit.Usage, hint(cmd, err))
		}
		return nil
	}
}
