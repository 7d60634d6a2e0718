package jobs

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

type validate struct{ cli.Document }

func validateCommand() *cobra.Command {
	var v validate
	cmd := &cobra.Command{
		Use: "validate FILE", Short: "Check a job document, without a server", Args: cli.ArgCount(1, 1),
		Long: `Check a job from a YAML or JSON file ("-" is stdin) and print how many tasks it makes.

The check is that of lull submit, and looks up the inputs on this machine. It reaches
no server: lull submit --dry-run also asks for the verdict. Exit code 2 means that the
document has a mistake.`,
		Example: `  lull validate night.yaml
  lull validate --set DAY=2026-11-21 report.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args[0]) },
	}
	v.VariableFlags(cmd)
	v.DeadlineFlags(cmd)
	return cmd
}

func (v *validate) run(cmd *cobra.Command, path string) error {
	doc, err := v.Read(path, cmd.InOrStdin())
	if err != nil {
		return err
	}
	cautions := spec.Cautions(doc)
	if err := countTasks(cmd.Context(), doc, path); err != nil {
		return err
	}
	job, err := doc.Job()
	if err != nil {
		return asFileError(path, err)
	}
	for _, caution := range cautions {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: %v\n", path, caution)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is valid: %s\n", path, sizeText(&job))
	return err
}

// sizeText describes how much a job has to run: the stages of its document, and their tasks.
func sizeText(job *spec.Job) string {
	stages, tasks := 0, 0
	for i := range job.Stages {
		if st := &job.Stages[i]; !st.Publish {
			stages, tasks = stages+1, tasks+int(st.Tasks)
		}
	}
	return humane.Count(stages, "stage") + ", " + humane.Count(tasks, "task")
}
