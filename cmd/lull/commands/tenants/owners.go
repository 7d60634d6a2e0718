package tenants

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/importer"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// owners lists the tenants of hosts, or removes the list.
type owners struct{ cli.Connection }

func setCommand() *cobra.Command {
	var o owners
	cmd := &cobra.Command{
		Use: "set FILE", Short: "List the tenants of hosts, in place of what the hosts say", Args: cli.ArgCount(1, 1),
		Long: `List the tenants of hosts from a CSV file ("-" is stdin) with the columns host,tenant, in
place of an earlier list. From then on the list alone counts: a host that is not in it
is a tenant of its own, whatever its agent names (--tenant), and whatever its samples
name. Without a list an agent is believed.

The first list counts for the samples recorded before it, too; a later one from then on.
Tenants are classified anew at once. Exit code 2 means that the file has a mistake.`,
		Example: "  lull tenants set inventory.csv",
		RunE:    func(cmd *cobra.Command, args []string) error { return o.set(cmd, args[0]) },
	}
	o.Flags(cmd)
	return cmd
}

func unsetCommand() *cobra.Command {
	var o owners
	cmd := &cobra.Command{
		Use: "unset", Short: "Remove the list of tenants: agents name their own again", Args: cli.ArgCount(0, 0),
		Long: `Remove the list of tenants. From then on each host has the tenant that its agent named
when it joined last. What was recorded under the list keeps its tenants until another
list is set, which counts for all that was recorded before it.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.unset(cmd) },
	}
	o.Flags(cmd)
	return cmd
}

func (o *owners) set(cmd *cobra.Command, path string) error {
	tenants, e, err := readOwners(path, cmd.InOrStdin())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	s, err := o.append(cmd, e, func(*ledger.State) error { return nil })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), describeOwners(s, tenants, len(e.Tenants)))
	return err
}

func (o *owners) unset(cmd *cobra.Command) error {
	_, err := o.append(cmd, &subjects.Owned{Who: client.Who()}, func(s *ledger.State) error {
		if s.Owners.List() == nil {
			return exit.With(exit.Usage, errors.New("no tenants are listed: nothing to remove"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), "the list of tenants is removed: hosts have the tenants that their agents name")
	return err
}

// append appends the event, unless refuse finds a reason in the pool's state, and returns that state.
func (o *owners) append(cmd *cobra.Command, e *subjects.Owned, refuse func(*ledger.State) error) (*ledger.State, error) {
	c, view, err := o.ViewIf(cmd.Context(), func(c *client.Client) error { return client.MayAppend(cmd.Context(), c, e) })
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := refuse(view.State); err != nil {
		return nil, err
	}
	if !view.State.Reads(subjects.FormatOwned, "") {
		return nil, errors.New("a service of an earlier release leads, which passes over the list of tenants: upgrade the services first")
	}
	return view.State, c.Append(cmd.Context(), view.State, e)
}

// readOwners returns the tenant of each host in a file, and the event that lists them.
func readOwners(path string, stdin io.Reader) (map[string]string, *subjects.Owned, error) {
	name, in, err := cli.Open(path, stdin)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = in.Close() }() // it is only read
	tenants, err := importer.Tenants(in, name)
	if err != nil {
		return nil, nil, err
	}
	e := client.Owned(tenants)
	if len(e.Tenants) == 0 {
		return nil, nil, fmt.Errorf("%s: no host has a tenant in it: give one a tenant, or use `lull tenants unset`", name)
	}
	if _, err := subjects.Encode(subjects.DefaultPool, e); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return tenants, e, nil
}

// describeOwners says how the list fits the pool's hosts.
func describeOwners(s *ledger.State, tenants map[string]string, n int) string {
	listed, present := 0, 0
	for _, h := range s.Hosts() {
		if h.Gone {
			continue
		}
		if present++; tenants[h.Name] != "" {
			listed++
		}
	}
	return fmt.Sprintf("%s; %d of %s in the list (others are tenants of their own)", humane.Count(n, "tenant"), listed, humane.Count(present, "present host"))
}
