package jobs

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

type outputs struct {
	cli.Connection
	format listing.Format
	stage  string
	to     string
}

// outputRow is a file in outputs --output json.
type outputRow struct {
	Stage   string `json:"stage"`
	Task    uint32 `json:"task"`
	Attempt uint64 `json:"attempt"`
	Host    string `json:"host"`
	Path    string `json:"path"`
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`
	Link    string `json:"link,omitempty"`
	Folder  bool   `json:"folder,omitempty"`
}

func outputsCommand() *cobra.Command {
	var o outputs
	cmd := &cobra.Command{
		Use: "outputs JOB", Short: "List the files that a job made, or fetch them", Args: cli.ArgCount(1, 1),
		Long: `List the files, links and empty folders that a job's tasks left in $LULL_OUT, or fetch them with --to into
FOLDER/<stage>/<task>/, the layout of published results. Without --stage these are
the stages that no other stage reads. The files come from the hosts that keep them,
and each is checked against its SHA-256.`,
		Example: `  lull outputs wordcount-abc
  lull outputs --stage map --to /tmp/maps wordcount-abc`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.Flags(cmd)
	o.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a file:
stage, task, attempt, host, path, size, sha256;
link (the target) of a symbolic link, folder of an empty folder`)
	cmd.Flags().StringVar(&o.stage, "stage", "", "only files of this stage")
	cmd.Flags().StringVar(&o.to, "to", "", "folder to fetch the files into")
	_ = cmd.RegisterFlagCompletionFunc("stage", o.CompleteStages)
	_ = cmd.MarkFlagDirname("to")
	cmd.ValidArgsFunction = o.CompleteJobs()
	return cmd
}

func (o *outputs) run(cmd *cobra.Command, id string) error {
	c, view, j, err := o.Find(cmd.Context(), id)
	if err != nil {
		return err
	}
	defer c.Close()
	stages, err := o.stages(j)
	if err != nil {
		return err
	}
	var files []client.Output
	for _, stage := range stages {
		more, err := c.Outputs(cmd.Context(), view.State, j, stage)
		if err != nil {
			return err
		}
		files = append(files, more...)
	}
	if o.to != "" {
		return o.fetch(cmd, c, j, files)
	}
	return o.list(cmd, j, files)
}

func (o *outputs) stages(j *ledger.Job) ([]int, error) {
	results, err := client.ResultStages(j)
	if o.stage == "" || err != nil {
		return results, err
	}
	i, err := stageOf(j, o.stage)
	return []int{i}, err
}

// stageOf returns the index of a job's stage.
func stageOf(j *ledger.Job, name string) (int, error) {
	i, err := client.StageOf(j, name)
	if err != nil {
		return 0, exit.With(exit.Usage, err)
	}
	return i, nil
}

func (o *outputs) list(cmd *cobra.Command, j *ledger.Job, files []client.Output) error {
	rows := make([]outputRow, len(files))
	for i, f := range files {
		rows[i] = outputRow{f.Stage, f.Task, f.Attempt, f.Host, f.Path, f.Size, fmt.Sprintf("%x", f.Sum), f.Link, f.Folder}
	}
	cells := func(r outputRow) []string {
		return []string{r.Stage, fmt.Sprint(r.Task), r.Host, humane.Bytes(r.Size), r.shown()}
	}
	return listing.Print(o.Out(cmd), o.format, rows, []string{"STAGE", "TASK", "HOST", "SIZE", "FILE"}, cells,
		noFiles(j))
}

// shown is the path as people read it.
func (r outputRow) shown() string {
	switch {
	case r.Folder:
		return r.Path + "/"
	case r.Link != "":
		return r.Path + " -> " + r.Link
	}
	return r.Path
}

// noFiles says that a job has no files to list or to fetch, and what else there may be.
func noFiles(j *ledger.Job) string {
	if j.Phase.Ended() {
		return fmt.Sprintf("%s (%s) has no files: its tasks left none in $LULL_OUT; other stages: --stage NAME", j.ID, j.Phase)
	}
	return "No committed files yet. Tasks leave theirs in $LULL_OUT; other stages: --stage NAME"
}

func (o *outputs) fetch(cmd *cobra.Command, c *client.Client, j *ledger.Job, files []client.Output) error {
	if len(files) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), noFiles(j)) //nolint:errcheck // the count below says it too
	}
	if err := os.MkdirAll(o.to, 0o755); err != nil {
		return err
	}
	if err := c.Fetch(cmd.Context(), files, o.to); err != nil {
		return err
	}
	folder, err := filepath.Abs(o.to)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s, in %s\n", sum(files), folder)
	return err
}

// sum says how much was fetched.
func sum(files []client.Output) string {
	var bytes int64
	var n, links int
	for _, f := range files {
		bytes += f.Size
		if f.Regular() {
			n++
		} else if f.Link != "" {
			links++
		}
	}
	text := humane.Count(n, "file")
	if links > 0 {
		text += ", " + humane.Count(links, "link")
	}
	if folders := len(files) - n - links; folders > 0 {
		text += ", " + humane.Count(folders, "empty folder")
	}
	return text + ", " + humane.Bytes(bytes)
}
