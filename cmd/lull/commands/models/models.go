package models

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects"
)

type models struct {
	cli.Connection
	format listing.Format
	placed bool
}

func modelsCommand() *cobra.Command {
	var m models
	cmd := &cobra.Command{
		Use: "models [MODEL]", Short: "Show what lull has learnt about task times", Args: cli.ArgCount(0, 1),
		Long: `List the models of task times: how long a task takes on an idle core and on half of
one, and how well such predictions match. There is one model a job type, or a stage
of a job type if it has several (TYPE:STAGE). With MODEL, show that one with its
curve.

  ERROR      root mean square error of predictions, over the range of times (NRMSE)
  TOO LONG   share of predictions that were too long, and by how much on average
  TOO SHORT  share of predictions that were too short, and by how much on average
  SAMPLES    tasks it was learnt from
  INPUT      bytes of input a task to which the times apply; other inputs are scaled
  READS      what a task reads a second on an idle core
  SEEN       shares of a core at which tasks have run; outside them it extrapolates

A prediction counts as it was made when the task was assigned. While there are fewer
than five, the model is compared with the tasks it was learnt from. DRIFT: recent
tasks do not fit the model. Until they do, lull assumes the 90th percentile of recent
times.

A second list has the types of the jobs that the placer placed: how long the last job
was predicted to take and took, and the mean error of the last four. UNFIT: three jobs
in a row took 30 % more or less than predicted. The placer does not place jobs of such
a type until a prediction fits again.`,
		Example: `  lull models
  lull models wordcount:map
  lull models --placed -o json`,
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd, args) },
	}
	m.Flags(cmd)
	m.format.Flag(cmd)
	cmd.Flags().BoolVar(&m.placed, "placed", false, "list only the types of jobs that were placed by how they move data")
	help.JSON(cmd, `An array of objects, one a model (with MODEL: one object):
type
a, b, c, d      a task takes a·e^(b·r) + c·e^(d·r) seconds at residual r
idle_seconds, half_seconds    at residual 1 and 0.5
nrmse           error of predictions
over, under     share of predictions that were too long, too short
over_by, under_by    by how much on average, as a share of the time observed
fast, slow      10th and 90th percentile of observed over predicted time
samples
size, size_least, size_most    bytes of input
fixed           share of the time that does not grow with the input
read90          bytes/s, 90th percentile
low, high       range of residuals at which tasks ran
drift           true if recent tasks do not fit the model
With --placed an array of objects, one a type: type, jobs, predicted and took
(seconds of the last job), error (mean of the last four, as a share of the
time taken), unfit.`)
	cmd.ValidArgsFunction = completeModels(&m.Connection)
	return cmd
}

func (m *models) run(cmd *cobra.Command, args []string) error {
	c, err := m.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	all, types, err := c.Models(cmd.Context())
	if err != nil {
		return err
	}
	switch {
	case m.placed && len(args) == 1:
		return exit.With(exit.Usage, errors.New("--placed lists all types: leave out "+args[0]))
	case m.placed:
		return m.types(m.Out(cmd), types)
	case len(args) == 1:
		return m.one(m.Out(cmd), all, args[0])
	}
	return m.list(m.Out(cmd), all, types)
}

func (m *models) list(w io.Writer, all []*subjects.Fitted, types []subjects.TypeLine) error {
	var rows []modelRow
	for _, f := range all {
		rows = append(rows, modelRowOf(f))
	}
	header := []string{"MODEL", "IDLE", "HALF", "ERROR", "TOO LONG", "TOO SHORT", "SAMPLES", "INPUT", "READS", "SEEN"}
	err := listing.Print(w, m.format, rows, header, modelRow.cells, "No models yet. One is fitted when five tasks of a type have finished, or a stage of fewer has.")
	if err != nil || m.format == listing.JSON {
		return err
	}
	return errors.Join(warn(w, rows), placedTypes(w, types))
}

func (m *models) one(w io.Writer, all []*subjects.Fitted, name string) error {
	at := slices.IndexFunc(all, func(f *subjects.Fitted) bool { return f.Type == name })
	if at < 0 {
		return exit.With(exit.Error, fmt.Errorf("no model %q: %s", name, known(all)))
	}
	if m.format == listing.JSON {
		return listing.Object(w, modelRowOf(all[at]))
	}
	_, err := io.WriteString(w, modelPage(all[at]))
	return err
}

// known lists the models there are, for an error about one that is missing.
func known(all []*subjects.Fitted) string {
	if len(all) == 0 {
		return "there are none yet; one is fitted when five tasks of a type have finished"
	}
	return fmt.Sprintf("there is %s, for one; `lull models` lists all %d", all[0].Type, len(all))
}
