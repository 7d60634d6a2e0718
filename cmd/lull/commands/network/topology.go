// Package network holds the commands about the links between hosts.
package network

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

// Commands returns the commands of this family.
func Commands() []*cobra.Command { return []*cobra.Command{topologyCommand()} }

type topology struct {
	cli.Connection
	format listing.Format
	hosts  bool
}

func topologyCommand() *cobra.Command {
	var t topology
	cmd := &cobra.Command{
		Use: "topology", Short: "Show the links between racks, and the bandwidth that is left", Args: cli.ArgCount(0, 0),
		Long: `Draw the network between the pool's hosts, as lull topology set described it, with
the bandwidth that each link has left (its rate less the primaries' traffic over it in
the last ten seconds), and how much of that placed jobs are predicted to use. If
shuffles got less of an uplink than its rate, the most that one of the last eight got
counts as its rate. A host is in the rack that its label rack= names. Hosts without
this label, and those that sent no usage for ten seconds, are only counted.`,
		Example: "  lull topology\n  lull topology --hosts\n  lull topology set racks.yaml",
		RunE:    func(cmd *cobra.Command, _ []string) error { return t.show(cmd) },
	}
	t.Flags(cmd)
	t.format.Flag(cmd)
	cmd.Flags().BoolVar(&t.hosts, "hosts", false, "list the hosts of each rack, too")
	help.JSON(cmd, `An object: racks, above (the switches above them) and hosts (with --hosts),
each with name, under, up, down, up_left, down_left, up_promised,
down_promised (bytes/s), and up_learnt, down_learnt where shuffles showed
less than is declared; and left_out with host and why.`)
	cmd.AddCommand(setCommand(), unsetCommand(), measureCommand())
	for _, c := range cmd.Commands() {
		cli.UsageErrors(c)
	}
	return cmd
}

func setCommand() *cobra.Command {
	var t topology
	cmd := &cobra.Command{
		Use: "set FILE", Short: "Describe the network of the pool", Args: cli.ArgCount(1, 1),
		Long: `Describe the network between the pool's hosts from a YAML file ("-" is stdin), in place of
an earlier description: the racks with the rates of their uplinks, the switches above
them if there are some, and the NICs of hosts for which the kernel reports a wrong
speed. Start agents with --labels rack=NAME. Exit code 2 means that the file has a
mistake.

  switches:
    - {name: east, rate: 40Gbit/s}
  racks:
    - {name: r1, rate: 10Gbit/s, switch: east}
    - {name: r2, up: 10Gbit/s, down: 20Gbit/s, nics: {web-7: 1Gbit/s}}`,
		Example: "  lull topology set racks.yaml",
		RunE:    func(cmd *cobra.Command, args []string) error { return t.set(cmd, args[0]) },
	}
	t.Flags(cmd)
	return cmd
}

func unsetCommand() *cobra.Command {
	var t topology
	cmd := &cobra.Command{
		Use: "unset", Short: "Remove the description of the pool's network", Args: cli.ArgCount(0, 0),
		Long: "Remove the description of the pool's network. No job is placed from then on; each runs on any host.",
		RunE: func(cmd *cobra.Command, _ []string) error { return t.unset(cmd) },
	}
	t.Flags(cmd)
	return cmd
}

func (t *topology) set(cmd *cobra.Command, path string) error {
	doc, err := read(path, cmd.InOrStdin())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	n, err := spec.ParseNetwork(doc)
	if err != nil {
		return exit.With(exit.Usage, fmt.Errorf("%s: %w", path, err))
	}
	c, view, err := t.View(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Append(cmd.Context(), view.State, client.Wired(n)); err != nil {
		return err
	}
	of := map[string]bool{}
	for _, r := range n.Racks {
		of[r.Name] = true
	}
	in, all := 0, 0
	for _, h := range view.State.Hosts() {
		if h.Gone {
			continue
		}
		if all++; of[subjects.Rack(h.Joined.Labels)] {
			in++
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s; %d of %s in one of them by the label rack=\n", humane.Count(len(n.Racks), "rack"), in, humane.Count(all, "host"))
	return err
}

// maxFile bounds a file of a topology, in bytes.
const maxFile = spec.MaxDoc

func read(path string, stdin io.Reader) ([]byte, error) {
	name, in, err := cli.Open(path, stdin)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it is only read
	doc, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(doc) > maxFile {
		err = fmt.Errorf("%s has more than %s", name, humane.Bytes(maxFile))
	}
	return doc, err
}

func (t *topology) unset(cmd *cobra.Command) error {
	c, view, err := t.ViewIf(cmd.Context(), func(c *client.Client) error {
		return client.MayAppend(cmd.Context(), c, &subjects.Wired{Who: client.Who()})
	})
	if err != nil {
		return err
	}
	defer c.Close()
	if view.State.Network == nil {
		return exit.With(exit.Usage, errors.New("no topology is set: nothing to remove"))
	}
	if err := c.Append(cmd.Context(), view.State, &subjects.Wired{Who: client.Who()}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), "the topology is removed: no job is placed by the network any more")
	return err
}
