package hosts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects"
)

type hosts struct {
	cli.Connection
	format listing.Format
}

// hostRow is a host in hosts --output json. CPU is in cores, memory in bytes;
// what only telemetry knows is null for a host that was not heard of.
type hostRow struct {
	Host  string `json:"host"`
	State string `json:"state"` // up, paused, draining, left, lost
	// HeldBy is who paused or drained it, or paused the pool.
	HeldBy     *subjects.Word `json:"held_by,omitempty"`
	Slots      uint32         `json:"slots"`
	Busy       uint32         `json:"busy"`
	Cores      uint32         `json:"cores"`
	Memory     int64          `json:"memory"` // bytes that batch tasks may share
	Labels     []string       `json:"labels"`
	Protection string         `json:"protection"` // how the primary is protected
	Version    string         `json:"version"`
	Since      string         `json:"since"`
	Tenant     string         `json:"tenant,omitempty"` // owner of the primary
	Primary    *float64       `json:"primary_cores"`
	Harvested  *float64       `json:"harvested_cores"`
	Idle       *float64       `json:"idle_cores"`
	DiskFree   *int64         `json:"disk_free"`
	suffering
}

func hostsCommand() *cobra.Command {
	var h hosts
	cmd := &cobra.Command{
		Use: "hosts", Short: "List hosts, what they use and how their primary is protected", Args: cli.Wants(0, 0),
		Long: `List the hosts of the pool by name.

  PRIMARY     cores that the host's primary uses
  HARVESTED   cores that lull's tasks use
  DELAY       how long the primary's threads waited for a CPU because of tasks, and
              the limit, in percent of the CPU time that they used
  PROTECTION  how the primary is protected, and what limits tasks now. A host of
              which the tasks are frozen gets no new ones
  BY          who paused or drained the host or the pool, and why. (claimed) marks
              a name that the server does not prove

lull harm shows the last 24 hours.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return h.run(cmd) },
	}
	h.Flags(cmd)
	h.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a host:
host, state, slots, busy, cores, memory, labels, protection, version, since, tenant
held_by         who paused or drained it: user, or claim if the server does not
                prove it, and why
primary_cores, harvested_cores, idle_cores, disk_free
primary_running, primary_runnable, primary_blocked    threads, on average
delay, delay_budget    seconds per CPU second of the primary
sensor          how the delay is measured
cap_cores       cores that tasks may use
guarded         why that is not all cores`)
	cmd.AddCommand(hostsForgetCommand())
	return cmd
}

func (h *hosts) run(cmd *cobra.Command) error {
	c, err := h.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	lines, err := c.Hosts(cmd.Context())
	if err != nil {
		return err
	}
	usage, err := c.LastUsage(cmd.Context(), up(lines))
	if err != nil {
		return err
	}
	var rows []hostRow
	for i := range lines {
		rows = append(rows, hostRowOf(&lines[i], usage[lines[i].Host]))
	}
	header, cells := hostColumns(rows)
	return listing.Print(h.Out(cmd), h.format, rows, header, cells, "No hosts. Start one: lull agent, or lull up for everything")
}

// up lists the hosts that telemetry can be expected of.
func up(lines []subjects.HostLine) (names []string) {
	for i := range lines {
		if !lines[i].Gone {
			names = append(names, lines[i].Host)
		}
	}
	return names
}

func hostRowOf(h *subjects.HostLine, u *subjects.Usage) hostRow {
	row := hostRow{
		Host: h.Host, State: h.State, HeldBy: h.HeldBy, Slots: h.Slots, Busy: h.Busy, Cores: h.Cores,
		Memory: h.Memory, Labels: append([]string{}, h.Labels...),
		Protection: h.Class, Version: h.Version, Since: listing.Stamp(h.Since), Tenant: h.Tenant,
	}
	if u != nil {
		row.Primary, row.Harvested, row.Idle, row.DiskFree = &u.Primary, &u.Batch, &u.Idle, &u.DiskFree
		row.suffering = sufferingOf(u)
	}
	return row
}

// hostColumns are the columns of the table. Those for labels, and for who paused a host,
// appear only if there are any, so that the table of a plain pool fits a terminal.
func hostColumns(rows []hostRow) (header []string, cells func(hostRow) []string) {
	header, cells = []string{"HOST", "STATE", "SLOTS", "CORES", "PRIMARY", "HARVESTED", "DELAY", "PROTECTION"}, hostRow.cells
	add := func(at int, title string, cell func(hostRow) string) {
		if slices.ContainsFunc(rows, func(r hostRow) bool { return cell(r) != "" }) {
			before := cells
			header = slices.Insert(header, at, title)
			cells = func(r hostRow) []string { return slices.Insert(before(r), at, cell(r)) }
		}
	}
	add(7, "LABELS", func(r hostRow) string { return strings.Join(r.Labels, ",") })
	add(2, "BY", hostRow.by)
	return header, cells
}

// by is who paused or drained the host, and why.
func (r hostRow) by() string {
	by := r.HeldBy.By()
	if why := r.HeldBy.Reason(); why != "" {
		by = strings.TrimPrefix(by+": "+strconv.Quote(why), ": ")
	}
	return by
}

func (r hostRow) cells() []string {
	return []string{
		r.Host, r.State, fmt.Sprintf("%d/%d", r.Busy, r.Slots), fmt.Sprint(r.Cores), cores(r.Primary), cores(r.Harvested),
		r.delay(), r.protection(),
	}
}

// protection is how the primary is protected and, while the guard holds tasks
// back, to what and why.
func (r hostRow) protection() string {
	if r.Guarded == nil || *r.Guarded == "" {
		return brief(r.Protection)
	}
	return "held: " + *r.Guarded
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
