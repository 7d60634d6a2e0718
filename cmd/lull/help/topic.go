package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
)

// topicNames are the names of the help texts that no command has.
func topicNames(root *cobra.Command) (names []string) {
	for _, cmd := range root.Commands() {
		if cmd.IsAdditionalHelpTopicCommand() {
			names = append(names, cmd.Name())
		}
	}
	slices.Sort(names)
	return names
}

// refuseUnknown has the library's `help` refuse a word that is neither a command nor a topic. By itself it
// prints the text of the command before that word.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // the library has just added it
	}
	help.Args = func(_ *cobra.Command, args []string) error {
		of, rest, err := root.Find(args)
		switch {
		case err != nil:
			return exit.With(exit.Usage, err)
		case len(rest) == 0:
			return nil
		case of != root:
			return exit.With(exit.Usage, fmt.Errorf("`%s` has no command %q; see `%[1]s --help`", of.CommandPath(), rest[0]))
		}
		return exit.With(exit.Usage, fmt.Errorf("%q is neither a command nor a topic: the topics are %s, and `lull help` lists the commands",
			rest[0], strings.Join(topicNames(root), " and ")))
	}
}
