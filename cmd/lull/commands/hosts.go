package commands

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/humane"
	"lull/cmd/lull/commands/listing"
	"lull/subjects"
	"lull/subjects/ledger"
)

type hosts struct {
	house
	format listing.Format
}

// hostRow is a host in hosts --output json. CPU is in cores, memory in bytes;
// what only telemetry knows is null for a host that was not heard of.
type hostRow struct {
	Host       string   `json:"host"`
	State      string   `json:"state"` // up, paused, draining, left, lost
	Slots      uint32   `json:"slots"`
	Busy       int      `json:"busy"`
	Cores      uint32   `json:"cores"`
	Memory     int64    `json:"memory"` // that batch tasks may share
	Labels     []string `json:"labels"`
	Protection string   `json:"protection"` // how the primary is protected
	Version    string   `json:"version"`
	Since      string   `json:"since"`
	Primary    *float64 `json:"primary_cores"`
	Harvested  *float64 `json:"harvested_cores"`
	Idle       *float64 `json:"idle_cores"`
	DiskFree   *int64   `json:"disk_free"`

	since time.Time
}

func hostsCommand() *cobra.Command {
	var h hosts
	cmd := &cobra.Command{
		Use: "hosts", Short: "List hosts and what they do", Args: wants(0, 0),
		Long: `List the hosts of the pool, by name, with what their primaries and lull use.

--output json prints an array of objects with host, state, slots, busy, cores,
memory, labels, protection, version, since, and from telemetry (null when a host
was not heard of) primary_cores, harvested_cores, idle_cores, disk_free.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return h.run(cmd) },
	}
	h.flags(cmd)
	h.format.Flag(cmd)
	return cmd
}

func (h *hosts) run(cmd *cobra.Command) error {
	c, view, err := h.view(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	usage, err := c.Heard(cmd.Context(), present(view.State))
	if err != nil {
		return err
	}
	var rows []hostRow
	for _, host := range view.State.Hosts() {
		rows = append(rows, hostRowOf(view.State, host, usage[host.Name]))
	}
	now := time.Now()
	header := []string{"HOST", "STATE", "SLOTS", "CORES", "PRIMARY", "HARVESTED", "MEMORY", "SINCE", "LABELS", "PROTECTION"}
	cells := func(r hostRow) []string { return r.cells(now) }
	return listing.Print(h.out(cmd), h.format, rows, header, cells, "No hosts. Start one: lull agent, or lull up for everything")
}

// stateOf is a host's state, which in a paused pool is paused for those too
// that joined after the word was given.
func stateOf(s *ledger.State, h *ledger.Host) string {
	if s.Paused && !h.Gone {
		return "paused"
	}
	return h.State()
}

func hostRowOf(s *ledger.State, h *ledger.Host, u *subjects.Usage) hostRow {
	row := hostRow{
		Host: h.Name, State: stateOf(s, h), Slots: h.Joined.Slots, Busy: h.Busy(), Cores: h.Joined.Cores,
		Memory: h.Joined.Memory, Labels: append([]string{}, slices.Sorted(slices.Values(h.Joined.Labels))...),
		Protection: h.Joined.Class, Version: h.Joined.Version, Since: stamp(h.Since), since: humane.Unix(h.Since),
	}
	if u != nil {
		row.Primary, row.Harvested, row.Idle, row.DiskFree = &u.Primary, &u.Batch, &u.Idle, &u.DiskFree
	}
	return row
}

func (r hostRow) cells(now time.Time) []string {
	return []string{
		r.Host, r.State, fmt.Sprintf("%d/%d", r.Busy, r.Slots), fmt.Sprint(r.Cores), cores(r.Primary), cores(r.Harvested),
		humane.Bytes(r.Memory), humane.When(r.since, now), strings.Join(r.Labels, ","), brief(r.Protection),
	}
}

// brief leaves of a weak protection what a table has room for: lull doctor on
// that host tells the rest, and what to do.
func brief(protection string) string {
	how, cost, weak := strings.Cut(protection, ";")
	if !weak || cost == "" {
		return protection
	}
	return "weak: " + strings.TrimSuffix(strings.TrimPrefix(how, "absent: "), " instead") + " (lull doctor)"
}

func cores(c *float64) string {
	if c == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *c)
}
