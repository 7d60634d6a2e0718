package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/humane"
	"lull/cmd/lull/commands/listing"
	"lull/subjects/tct"
)

type models struct {
	house
	format listing.Format
}

// modelRow is a model in models --output json: a task takes
// a·e^(b·r) + c·e^(d·r) seconds at residual r.
type modelRow struct {
	Type    string  `json:"type"`
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	C       float64 `json:"c"`
	D       float64 `json:"d"`
	NRMSE   float64 `json:"nrmse"` // root mean square error over the observed range
	Samples uint32  `json:"samples"`
	Over    float64 `json:"over"`  // share of samples predicted too long
	Under   float64 `json:"under"` // and too short
	Low     float64 `json:"low"`   // residuals seen, from
	High    float64 `json:"high"`  // to

	curve *tct.Curve
}

func modelsCommand() *cobra.Command {
	var m models
	cmd := &cobra.Command{
		Use: "models", Short: "List what was learnt of each job type's tasks", Args: wants(0, 0),
		Long: `List the completion-time models: how long a task of a type takes, depending on the
share of a core that the primary leaves it (its residual r), and how well that fits.

--output json prints an array of objects with type, a, b, c, d (seconds are
a·e^(b·r) + c·e^(d·r)), nrmse, samples, over and under (shares of samples
predicted too long and too short), low and high (residuals seen).`,
		RunE: func(cmd *cobra.Command, _ []string) error { return m.run(cmd) },
	}
	m.flags(cmd)
	m.format.Flag(cmd)
	return cmd
}

func (m *models) run(cmd *cobra.Command) error {
	c, view, err := m.view(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var rows []modelRow
	for f := range view.State.Models() {
		rows = append(rows, modelRow{f.Type, f.A, f.B, f.C, f.D, f.NRMSE, f.Samples, f.Over, f.Under, f.Low, f.High, tct.Of(f)})
	}
	header := []string{"TYPE", "IDLE CORE", "HALF A CORE", "ERROR", "SAMPLES", "TOO LONG", "TOO SHORT", "SEEN"}
	return listing.Print(m.out(cmd), m.format, rows, header, modelRow.cells,
		"No models yet. One is fitted when tasks of a type have finished.")
}

func (r modelRow) cells() []string {
	return []string{
		r.Type, humane.Seconds(r.curve.Seconds(1)), humane.Seconds(r.curve.Seconds(0.5)), percent(r.NRMSE), fmt.Sprint(r.Samples),
		percent(r.Over), percent(r.Under), fmt.Sprintf("%.2f–%.2f", r.Low, r.High),
	}
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
