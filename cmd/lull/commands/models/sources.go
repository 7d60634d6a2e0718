package models

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/client/humane"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
)

type sources struct {
	cli.Connection
	format listing.Format
}

// sourceRow is a data node in sources --output json. Rates are in bytes/s; the
// capacity is null as long as it is not known.
type sourceRow struct {
	Source   string   `json:"source"`
	Readers  uint32   `json:"readers"`
	Load     float64  `json:"load"`
	Capacity *float64 `json:"capacity"`
	Learnt   bool     `json:"learnt"` // the capacity was observed, not configured
}

func sourcesCommand() *cobra.Command {
	var s sources
	cmd := &cobra.Command{
		Use: "sources", Short: "List the data nodes that tasks read from, and how loaded they are", Args: cli.Wants(0, 0),
		Long: `List the data nodes that running tasks read from: file servers, disks, web servers
and the agents that keep what earlier stages wrote. The load is what their readers
are predicted to want. A node that gives no more gets no more readers: its
capacity is configured (lull up --source nfs:filer1=200MB/s) or learnt from tasks
that many readers slow down.

--output json prints an array of objects with source, readers, load and capacity
(bytes/s; null when it is not known), learnt.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	s.Flags(cmd)
	s.format.Flag(cmd)
	return cmd
}

func (s *sources) run(cmd *cobra.Command) error {
	c, err := s.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	found, err := c.DataNodes(cmd.Context(), "")
	if err != nil {
		return err
	}
	var rows []sourceRow
	for _, n := range found {
		row := sourceRow{Source: n.Name, Readers: n.Readers, Load: n.Load, Learnt: n.Learnt}
		if n.Capacity > 0 {
			row.Capacity = &n.Capacity
		}
		rows = append(rows, row)
	}
	header := []string{"SOURCE", "READERS", "LOAD", "CAPACITY", "KNOWN"}
	return listing.Print(s.Out(cmd), s.format, rows, header, sourceRow.cells,
		"No task reads from a data node now, and no capacity is known.")
}

func (r sourceRow) cells() []string {
	capacity, known := "-", "-"
	if r.Capacity != nil {
		capacity, known = humane.Rate(*r.Capacity), "configured"
		if r.Learnt {
			known = "learnt"
		}
	}
	return []string{r.Source, fmt.Sprint(r.Readers), humane.Rate(r.Load), capacity, known}
}
