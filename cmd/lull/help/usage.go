package help

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// usage prints how to call a command: its form, its examples, its subcommands and its flags.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.HasParent() && cmd.Runnable() && !cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", cmd.CommandPath())
		if cmd.HasParent() && cmd.Runnable() && cmd.HasAvailableLocalFlags() {
			fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	commands(&b, cmd)
	flags(&b, cmd)
	topics(&b, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nMore about a command: %s COMMAND --help\n", cmd.CommandPath())
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

func commands(b *strings.Builder, cmd *cobra.Command) {
	for _, group := range cmd.Groups() {
		list(b, group.Title, cmd, group.ID)
	}
	list(b, "Commands:", cmd, "")
}

// list prints the subcommands of a group, in the order of the group's table.
func list(b *strings.Builder, title string, cmd *cobra.Command, group string) {
	rows := ""
	for _, name := range names(cmd, group) {
		for _, sub := range cmd.Commands() {
			if sub.Name() == name && sub.GroupID == group && (sub.IsAvailableCommand() || name == "help") {
				rows += fmt.Sprintf("  %-12s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if rows != "" {
		fmt.Fprintf(b, "\n%s\n%s", title, rows)
	}
}

// names are the names of a group's commands in order, of all commands without a group for "".
func names(cmd *cobra.Command, group string) []string {
	for _, g := range groups {
		if g.id == group {
			return g.commands
		}
	}
	var all []string
	for _, sub := range cmd.Commands() {
		all = append(all, sub.Name())
	}
	return all
}

func flags(b *strings.Builder, cmd *cobra.Command) {
	all := cmd.LocalFlags()
	if text := Section("").among(all).FlagUsagesWrapped(width); text != "" {
		fmt.Fprintf(b, "\nFlags:\n%s", text)
	}
	for _, section := range order {
		if text := section.among(all).FlagUsagesWrapped(width); text != "" {
			fmt.Fprintf(b, "\n%s:\n%s", section, text)
		}
	}
}

// topics lists what `lull help` explains beside commands.
func topics(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasHelpSubCommands() {
		return
	}
	b.WriteString("\nTopics:\n")
	for _, sub := range cmd.Commands() {
		if sub.IsAdditionalHelpTopicCommand() {
			fmt.Fprintf(b, "  %-12s %s\n", "help "+sub.Name(), sub.Short)
		}
	}
}
