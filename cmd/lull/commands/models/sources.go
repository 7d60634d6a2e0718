package models

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects/humane"
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
		Use: "sources", Short: "List the data nodes that tasks read from, and their load", Args: cli.ArgCount(0, 0),
		Long: `List the data nodes that running tasks read from: file servers, disks, web servers,
and hosts that keep outputs of earlier stages. LOAD is what their readers are
predicted to read together. A node at its capacity gets no more readers. The capacity
is configured (lull up --source nfs:filer1=200MB/s), or learnt when many readers slow
each other.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	s.Flags(cmd)
	s.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a data node:
source, readers
load, capacity  bytes/s
learnt          true if the capacity was learnt from slow tasks`)
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
