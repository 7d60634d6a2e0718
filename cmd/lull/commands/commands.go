package commands

import (
	"slices"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/documents"
	"lull/cmd/lull/commands/hosts"
	"lull/cmd/lull/commands/jobs"
	"lull/cmd/lull/commands/models"
	"lull/cmd/lull/commands/network"
	"lull/cmd/lull/commands/past"
	"lull/cmd/lull/commands/queues"
	"lull/cmd/lull/commands/replay"
	"lull/cmd/lull/commands/tenants"
)

// Commands returns the subcommands for people with jobs or hosts.
func Commands() []*cobra.Command {
	all := slices.Concat(jobs.Commands(), hosts.Commands(), past.Commands(), queues.Commands(), network.Commands(), tenants.Commands(),
		models.Commands(), documents.Commands(), replay.Commands())
	for _, cmd := range all {
		cli.UsageErrors(cmd)
	}
	return all
}
