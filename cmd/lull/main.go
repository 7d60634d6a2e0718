// Command lull runs batch jobs with deadlines on the CPU that latency-critical
// servers leave idle. It is every service, all of them at once, and the client.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/plain"
	"lull/cmd/lull/serve"
	"lull/cmd/lull/serve/helper"
)

func main() {
	if status, aside := helper.Main(os.Args); aside {
		os.Exit(status)
	}
	os.Exit(run(root(), os.Args[1:]))
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lull",
		Short: "Run batch jobs with deadlines on the CPU that your servers leave idle",
		// Errors are printed once, by run, and a mistake at run time is not
		// answered with a page of usage.
		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
		Args:                       unknown,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(serve.Commands()...)
	cmd.AddCommand(commands.Commands()...)
	addCompletion(cmd)
	help.Install(cmd)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return exit.With(exit.Usage, fmt.Errorf("%s; see `%s --help`", parsing.ReplaceAllString(err.Error(), ""), cmd.CommandPath()))
	})
	return cmd
}

// addCompletion adds the library's command, with mistakes reported as those of other commands are.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err) // the library adds it whatever the arguments are
	}
	completion.Args, completion.RunE = unknownShell, root.RunE
	for _, shell := range completion.Commands() {
		shell.Args = cli.ArgCount(0, 0)
		cli.UsageErrors(shell)
	}
}

// unknownShell refuses a word that is not a shell for which the library writes completions.
func unknownShell(completion *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, shell := range completion.Commands() {
		known = append(known, shell.Name())
	}
	return exit.With(exit.Usage, fmt.Errorf("%q is no shell that lull knows: choose one of %s", args[0], strings.Join(known, ", ")))
}

// parsing matches how the library introduces a value that does not parse; the reason follows.
var parsing = regexp.MustCompile(`strconv\.\w+: parsing ".*": `)

// unknown refuses a word that is not a command, and suggests the nearest one.
func unknown(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	guess := ""
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		guess = fmt.Sprintf("; did you mean `%s %s`?", cmd.CommandPath(), like[0])
	}
	return exit.With(exit.Usage, fmt.Errorf("%q is not a command%s", args[0], guess))
}

// run executes the command line and returns the exit code.
func run(cmd *cobra.Command, args []string) int {
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(context.Background())
	if err == context.Canceled { //nolint:errorlint // one that is wrapped says what was interrupted
		err = exit.With(exit.Interrupted, errors.New("interrupted"))
	}
	if err != nil && err.Error() != "" {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "lull: "+plain.Text(err.Error()))
	}
	return exit.Code(err)
}
