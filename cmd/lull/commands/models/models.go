package models

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/subjects"
)

type models struct {
	cli.Connection
	format listing.Format
}

func modelsCommand() *cobra.Command {
	var m models
	cmd := &cobra.Command{
		Use: "models [MODEL]", Short: "Show what was learnt of how long tasks take", Args: cli.Wants(0, 1),
		Long: `List the completion-time models: how long a task takes on an idle core and on
half of one, how well such predictions hold, and from what they were learnt. A
model is a job type's; where a job has several stages, each has its own
(TYPE:STAGE). With a MODEL, show that one in full, with its curve.

  ERROR      root mean square error of the predictions, over the range of times (NRMSE)
  TOO LONG   share of predictions that were too long, and by how much on average
  TOO SHORT  the same for those that were too short
  SAMPLES    tasks it was learnt from, from the first on
  INPUT      bytes a task that the times are for; tasks with other inputs are scaled
  READS      what a task reads a second on an idle core
  SEEN       shares of a core at which tasks have run: beyond them it is a guess

Each prediction is scored by the model that stood when the task was assigned, not
by the one that was fitted to it later; only while there are fewer than five, the
model is scored on its own samples. DRIFT means that the latest tasks follow no
model: until they do, work counts as conserved, with a time on an idle core that
covers nine in ten of them.

--output json prints an array of objects (with MODEL: one): type, a, b, c, d
(seconds at residual r are a·e^(b·r) + c·e^(d·r)), idle_seconds, half_seconds,
nrmse, over, under (shares), over_by, under_by (means, of the time observed), fast,
slow (tenth and ninetieth percentile of observed over predicted), samples, size,
size_least, size_most (bytes), fixed (share of the time that does not grow with
the input), read90 (bytes/s), low, high (residuals seen), drift.`,
		Example: `  lull models
  lull models wordcount:map`,
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd, args) },
	}
	m.Flags(cmd)
	m.format.Flag(cmd)
	cmd.ValidArgsFunction = completeModels(&m.Connection)
	return cmd
}

func (m *models) run(cmd *cobra.Command, args []string) error {
	c, view, err := m.View(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	if len(args) == 1 {
		return m.one(m.Out(cmd), view, args[0])
	}
	return m.list(m.Out(cmd), view)
}

func (m *models) list(w io.Writer, view *client.View) error {
	var rows []modelRow
	for f := range view.State.Models() {
		rows = append(rows, modelRowOf(f))
	}
	header := []string{"MODEL", "IDLE", "HALF", "ERROR", "TOO LONG", "TOO SHORT", "SAMPLES", "INPUT", "READS", "SEEN"}
	err := listing.Print(w, m.format, rows, header, modelRow.cells, "No models yet. One is fitted when five tasks of a type have finished.")
	if err != nil || m.format == listing.JSON {
		return err
	}
	return warn(w, rows)
}

func (m *models) one(w io.Writer, view *client.View, name string) error {
	f := view.State.Model(name)
	if f == nil {
		return exit.With(exit.Error, fmt.Errorf("no model %q: %s", name, known(view)))
	}
	if m.format == listing.JSON {
		return listing.Object(w, modelRowOf(f))
	}
	_, err := io.WriteString(w, modelPage(f))
	return err
}

// known lists the models there are, for an error about one that is missing.
func known(view *client.View) string {
	var first *subjects.Fitted
	n := 0
	for f := range view.State.Models() {
		if n++; first == nil {
			first = f
		}
	}
	if n == 0 {
		return "there are none yet; one is fitted when five tasks of a type have finished"
	}
	return fmt.Sprintf("there is %s, for one; `lull models` lists all %d", first.Type, n)
}
