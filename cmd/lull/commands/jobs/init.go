package jobs

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
)

// templates are documents to start from, one a kind.
//
//go:embed templates/*.yaml
var templates embed.FS

// kinds are what `lull init` knows, the one for newcomers first.
var kinds = []string{"tasks", "files", "each", "matrix", "stages"}

func initCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "init [KIND]", Short: "Write a job file to start from", Args: cli.ArgCount(0, 1), ValidArgs: kinds,
		Long: `Write a commented job file into this folder: KIND.yaml. An existing file is
not overwritten.

  tasks    one command in several tasks (the default)
  files    one task for each part of many files, and one that sums up
  each     one task for each item of a list
  matrix   one task for each combination of values
  stages   stages that wait for each other`,
		Example: "  lull init files && lull run files.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			kind := kinds[0]
			if len(args) > 0 {
				kind = args[0]
			}
			return writeTemplate(cmd, kind)
		},
	}
	return cmd
}

// writeTemplate writes a template, unless a file of its name is there.
func writeTemplate(cmd *cobra.Command, kind string) error {
	name := kind + ".yaml"
	body, err := templates.ReadFile("templates/" + name)
	if err != nil {
		return exit.With(exit.Usage, fmt.Errorf("%q is no kind of job file: choose one of %s", kind, strings.Join(kinds, ", ")))
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a document, for others to read too
	if errors.Is(err, fs.ErrExist) {
		return exit.With(exit.Usage, fmt.Errorf("%s exists, and is not overwritten: rename it, or change to another folder", name))
	}
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is written: lull run %s runs it, lull validate %s checks what you change\n", name, name, name)
	return err
}
