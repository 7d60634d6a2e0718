package help

import (
	"slices"

	"github.com/spf13/cobra"
)

// groups are the groups of commands in `lull --help`, in the order in which a newcomer needs them.
var groups = []struct {
	id, title string
	commands  []string
}{
	{"jobs", "Run and submit jobs:", []string{"run", "submit", "cancel", "retry", "init", "validate", "plan", "schema"}},
	{"watch", "Watch jobs:", []string{"jobs", "job", "status", "watch", "why", "logs", "outputs", "models", "sources"}},
	{"hosts", "Hosts and shares:", []string{"hosts", "harm", "history", "tenants", "classify", "pause", "drain", "resume", "queues", "queue", "topology"}},
	{"services", "Services:", []string{"up", "server", "admission", "slotter", "classifier", "placer", "agent", "monitor", "permissions", "repair"}},
	{"before", "Before you install:", []string{"doctor", "sim", "identify"}},
	{"other", "About lull:", []string{"help", "completion", "version"}},
}

// Install arranges the commands below root and adds the topics.
func Install(root *cobra.Command) {
	for _, group := range groups {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(group.commands, cmd.Name()) {
				cmd.GroupID = group.id
			}
		}
	}
	root.SetHelpCommandGroupID("other")
	root.SetCompletionCommandGroupID("other")
	root.AddCommand(words(), fields(root))
	refuseUnknown(root)
	root.SetUsageFunc(usage)
	wrapAll(root)
}
