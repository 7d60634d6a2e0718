package hosts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects/ledger"
)

type showHarm struct {
	cli.Connection
	format listing.Format
	whole  bool
}

func harmCommand() *cobra.Command {
	var h showHarm
	cmd := &cobra.Command{
		Use: "harm [TENANT]", Short: "Show what lull harvested beside tenants, and what that cost them", Args: cli.ArgCount(0, 1),
		Long: `List the tenants that own hosts, with what lull harvested there over the last 24
hours and how long it delayed them. With TENANT, list the hosts of that tenant. The
flag --tenant of an agent names the tenant of a host; "-" stands for none.

  HARVESTED  core-hours that tasks used
  PRIMARY    core-hours that the tenant used
  DELAY      how long the tenant's threads waited for a CPU because of tasks, in
             percent of the CPU time that they used; "-" where it is not measured
  BUDGET     limit of DELAY
  EVICTED    tasks that were ended because the tenant needed the room

Hosts report every ten minutes, a minute after an eviction, and when they leave.`,
		Example: "  lull harm\n  lull harm shop --total",
		RunE:    func(cmd *cobra.Command, args []string) error { return h.run(cmd, args) },
	}
	h.Flags(cmd)
	h.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a tenant (with TENANT: one a host):
tenant, hosts (names), sensors, since
day, total      of each: harvested_core_seconds, primary_core_seconds,
                delay_seconds, delay and budget (seconds per CPU second of the
                primary), evicted`)
	cmd.Flags().BoolVar(&h.whole, "total", false, "since the host first joined, instead of the last 24 hours")
	cmd.ValidArgsFunction = h.completeTenants()
	return cmd
}

func (h *showHarm) run(cmd *cobra.Command, args []string) error {
	c, view, err := h.View(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	rows := harmRows(view.State, time.Now(), len(args) == 0, args)
	if len(args) == 1 && len(rows) == 0 {
		return exit.With(exit.Error, fmt.Errorf("no tenant %q: %s", args[0], tenants(view)))
	}
	header := []string{"TENANT", "HOSTS", "HARVESTED", "PRIMARY", "DELAY", "BUDGET", "EVICTED"}
	if len(args) == 1 {
		header[1] = "HOST"
	}
	cells := func(r harmRow) []string { return r.cells(h.whole, len(args) == 1) }
	return listing.Print(h.Out(cmd), h.format, rows, header, cells,
		"No host has reported yet. Hosts report every ten minutes, and when they leave.")
}

// tenants lists the known tenants, for an error about an unknown one.
func tenants(view *client.View) string {
	names := tenantNames(view.State)
	if len(names) == 0 {
		return "no host has reported yet"
	}
	return "known are " + strings.Join(names, ", ")
}

// tenantNames returns the names of the tenants of which anything is known, "-" for the one without a name.
func tenantNames(s *ledger.State) (names []string) {
	for account := range s.HarmAccounts() {
		names = append(names, named(account.Tenant))
	}
	return slices.Compact(names)
}

func (h *showHarm) completeTenants() cli.Completion {
	return h.Complete(cli.Viewed(tenantNames))
}
