package network

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
)

func measureCommand() *cobra.Command {
	var t topology
	cmd := &cobra.Command{
		Use: "measure", Short: "Measure the links between racks, and compare with the topology", Args: cli.ArgCount(0, 0),
		Long: `Have agents of different racks send each other 64 MB, or as much as they can in 2 s,
each way for each pair of racks, one after the other. Only agents that were started with
--probe take part, one of each rack. A link counts for the fastest probe over it. What
primaries and jobs move meanwhile makes it look slower, so measure when the pool is calm.
Nothing is changed: the command prints what to write in the file for lull topology set.`,
		Example: "  lull topology measure",
		RunE:    func(cmd *cobra.Command, _ []string) error { return t.measure(cmd) },
	}
	t.Flags(cmd)
	t.format.Flag(cmd)
	help.JSON(cmd, `An object: links, each with rack, way (up or down), declared, measured (bytes/s) and
verdict; and probes, each with from and to (racks), from_host, to_host, rate and error.`)
	return cmd
}

func (t *topology) measure(cmd *cobra.Command) error {
	c, view, err := t.View(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	probes, without, err := client.Probes(view.State)
	if err != nil {
		return err
	}
	for i := range probes {
		p := &probes[i]
		p.Measure(cmd.Context(), c, view.State)
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if t.format != listing.JSON {
			if err := printProbe(t.Out(cmd), p); err != nil {
				return err
			}
		}
	}
	links := client.Judge(view.State, probes)
	if t.format == listing.JSON {
		return listing.Object(cmd.OutOrStdout(), struct {
			Links  []client.Measured `json:"links"`
			Probes []client.Probe    `json:"probes"`
		}{links, probes})
	}
	_, err = fmt.Fprint(t.Out(cmd), "\n"+table(links)+advice(links, without))
	return err
}

// printProbe writes what a probe found.
func printProbe(w io.Writer, p *client.Probe) error {
	found := bits(p.Rate)
	if p.Error != "" {
		found = "failed: " + p.Error
	}
	_, err := fmt.Fprintf(w, "%s → %s (%s → %s): %s\n", p.From, p.To, p.FromHost, p.ToHost, found)
	return err
}

func table(links []client.Measured) string {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "LINK\tDECLARED\tMEASURED\t") // into memory
	for i := range links {
		m := &links[i]
		measured := "-"
		if m.Measured > 0 {
			measured = bits(m.Measured)
		}
		_, _ = fmt.Fprintf(tw, "%s %s\t%s\t%s\t%s\n", m.Rack, m.Way, bits(m.Declared), measured, m.Verdict)
	}
	_ = tw.Flush()
	return b.String()
}

// advice says what to write in the file.
func advice(links []client.Measured, without []string) string {
	var b strings.Builder
	if len(without) > 0 {
		fmt.Fprintf(&b, "Without an agent that was started with --probe: rack %s.\n", strings.Join(without, ", "))
	}
	corrected := client.Corrected(links)
	if len(corrected) == 0 {
		b.WriteString("Nothing that was measured differs from what is declared.\n")
		return b.String()
	}
	b.WriteString("If no traffic of others was in the way, write in the file for lull topology set:\n")
	for _, r := range corrected {
		if r.Up > r.Down || r.Up < r.Down {
			fmt.Fprintf(&b, "  - {name: %s, up: %s, down: %s}\n", r.Name, written(r.Up), written(r.Down))
		} else {
			fmt.Fprintf(&b, "  - {name: %s, rate: %s}\n", r.Name, written(r.Up))
		}
	}
	return b.String()
}

// written is a rate to two digits, as a topology file has it.
func written(bytes float64) string {
	step := math.Pow(10, math.Floor(math.Log10(bytes*8))-1)
	return strings.ReplaceAll(bits(math.Round(bytes*8/step)*step/8), " ", "")
}
