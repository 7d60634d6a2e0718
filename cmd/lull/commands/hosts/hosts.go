package hosts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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

// hostRow is a host in hosts --output json. CPU is in cores, memory in bytes. Values that only
// telemetry has are null for a host without recent telemetry.
type hostRow struct {
	Host  string `json:"host"`
	State string `json:"state"` // up, paused, draining, silent, left, lost
	// Heard is the time of the last heartbeat, Silence the seconds since then. They are null for a
	// present host if no slotter answers, since heartbeats are not in the log.
	Heard   *string  `json:"heard"`
	Silence *float64 `json:"silence"`
	// HeldBy is the user that paused or drained it, or paused the pool.
	HeldBy     *subjects.Attribution `json:"held_by,omitempty"`
	Slots      uint32                `json:"slots"`
	Busy       uint32                `json:"busy"`
	Cores      uint32                `json:"cores"`
	Memory     int64                 `json:"memory"` // bytes that batch tasks may share
	Labels     []string              `json:"labels"`
	Protection string                `json:"protection"` // how the primary is protected
	Version    string                `json:"version"`
	Since      string                `json:"since"`
	Tenant     string                `json:"tenant,omitempty"` // owner of the primary
	// TenantClass is the class of the tenant: see lull tenants.
	TenantClass string   `json:"tenant_class,omitempty"`
	Primary     *float64 `json:"primary_cores"`
	Harvested   *float64 `json:"harvested_cores"`
	Idle        *float64 `json:"idle_cores"`
	DiskFree    *int64   `json:"disk_free"`
	contention
}

func hostsCommand() *cobra.Command {
	var h hosts
	cmd := &cobra.Command{
		Use: "hosts", Short: "List hosts, what they use and how their primary is protected", Args: cli.ArgCount(0, 0),
		Long: `List the hosts of the pool by name.

  STATE       silent: heartbeats are missing. They come every second; after 15 s
              without any the slotter declares the host lost, and its tasks run
              elsewhere. silent, left and lost show the time since the last one
  PRIMARY     cores that the host's primary uses
  HARVESTED   cores that lull's tasks use
  DELAY       how long the primary's threads waited for a CPU because of tasks, and
              the limit, in percent of the CPU time that they used
  PROTECTION  how the primary is protected, and what limits tasks now. While
              its tasks are frozen, a host gets no new ones
  TENANT CLASS  tenants whose usage is alike share one: see lull tenants
  BY          the user that paused or drained the host or the pool, and why. (claimed) marks
              a name that the server does not prove

lull harm shows the last 24 hours.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return h.run(cmd) },
	}
	h.Flags(cmd)
	h.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a host:
host, state (up, paused, draining, silent, left, lost), heard (when last),
silence (seconds since then)
slots, busy, cores, memory, labels, protection, version, since, tenant,
tenant_class
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
	usage, err := c.LastUsage(cmd.Context(), hostsWithTelemetry(lines))
	if err != nil {
		return err
	}
	var rows []hostRow
	for i := range lines {
		rows = append(rows, hostRowOf(&lines[i], usage[lines[i].Host], time.Now()))
	}
	header, cells := hostColumns(rows)
	return listing.Print(h.Out(cmd), h.format, rows, header, cells, "No hosts. Start one: lull agent, or lull up for everything")
}

// hostsWithTelemetry lists the hosts that telemetry can be expected of.
func hostsWithTelemetry(lines []subjects.HostLine) (names []string) {
	for i := range lines {
		if !lines[i].Gone && lines[i].State != subjects.Silent {
			names = append(names, lines[i].Host)
		}
	}
	return names
}

func hostRowOf(h *subjects.HostLine, u *subjects.Usage, now time.Time) hostRow {
	row := hostRow{
		Host: h.Host, State: h.State, HeldBy: h.HeldBy, Slots: h.Slots, Busy: h.Busy, Cores: h.Cores,
		Memory: h.Memory, Labels: append([]string{}, h.Labels...),
		Protection: h.Class, Version: h.Version, Since: listing.Stamp(h.Since), Tenant: h.Tenant, TenantClass: h.TenantClass,
	}
	if h.Heard != 0 {
		heard, silence := listing.Stamp(h.Heard), h.Silence
		if silence == 0 && h.Gone { // made from the log alone
			silence = max(now.Sub(time.Unix(0, h.Heard)).Seconds(), 0)
		}
		row.Heard, row.Silence = &heard, &silence
	}
	if u != nil && h.State != subjects.Silent {
		row.Primary, row.Harvested, row.Idle, row.DiskFree = &u.Primary, &u.Batch, &u.Idle, &u.DiskFree
		row.contention = contentionOf(u)
	}
	return row
}

// hostColumns returns the columns of the table. Those for labels, and for the user that paused a
// host, appear only if there are any, so that the table of a plain pool fits a terminal.
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
	add(7, "TENANT CLASS", func(r hostRow) string { return r.TenantClass })
	add(2, "BY", hostRow.by)
	return header, cells
}

// by returns the user that paused or drained the host, and why.
func (r hostRow) by() string {
	by := r.HeldBy.By()
	if why := r.HeldBy.Reason(); why != "" {
		by = strings.TrimPrefix(by+": "+strconv.Quote(why), ": ")
	}
	return by
}

func (r hostRow) cells() []string {
	return []string{
		r.Host, r.state(), fmt.Sprintf("%d/%d", r.Busy, r.Slots), fmt.Sprint(r.Cores), cores(r.Primary), cores(r.Harvested),
		r.delay(), r.protection(),
	}
}

// state returns the host's state, with the time since its last heartbeat if it is away.
func (r hostRow) state() string {
	away := r.State == subjects.Silent || r.State == "left" || r.State == "lost"
	if !away || r.Silence == nil {
		return r.State
	}
	return r.State + " " + age(time.Duration(*r.Silence*float64(time.Second)))
}

// age is a time in its largest unit, as short as a table wants it: 4s, 3m, 2h, 5d.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// protection is how the primary is protected and, while the guard holds tasks
// back, to what and why.
func (r hostRow) protection() string {
	if r.Guarded == nil || *r.Guarded == "" {
		return brief(r.Protection)
	}
	return *r.Guarded
}

// brief says how good a protection without the kernel's idle class is: lull doctor on that host has the
// rest, and what to do.
func brief(protection string) string {
	how, _, _ := strings.Cut(protection, ";") // older agents go on with what it costs
	how, makeshift := strings.CutSuffix(how, " instead")
	if !makeshift {
		return protection
	}
	if weak, nothing := strings.CutPrefix(how, "absent: "); nothing {
		return "weak: " + weak + " (lull doctor)"
	}
	return "fair: " + how + " (lull doctor)"
}

func cores(c *float64) string {
	if c == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *c)
}
