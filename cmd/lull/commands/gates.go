package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// gate is what an operator says of hosts.
type gate struct {
	connection
	reason  string
	whole   bool
	done    string // what is said afterwards, of one host
	doneAll string

	host func(name, who, why string) subjects.Event
	pool func(who, why string) subjects.Event // nil: there is no such thing as the pool's
}

func pauseCommand() *cobra.Command {
	g := &gate{
		done: "paused: its batch work leaves the CPU now", doneAll: "The pool is paused: batch work leaves every CPU now.",
		host: func(name, who, why string) subjects.Event { return &subjects.Paused{Host: name, Who: who, Why: why} },
		pool: func(who, why string) subjects.Event { return &subjects.PoolPaused{Who: who, Why: why} },
	}
	return g.command("pause", "Take batch work off hosts' CPUs, within a second",
		"Frozen tasks keep their memory and go on with lull resume. --all is the kill switch: all hosts,\nand those that join later, in one step. It needs no service but NATS.")
}

func resumeCommand() *cobra.Command {
	g := &gate{
		done: "resumed", doneAll: "The pool goes on.",
		host: func(name, who, _ string) subjects.Event { return &subjects.Resumed{Host: name, Who: who} },
		pool: func(who, _ string) subjects.Event { return &subjects.PoolResumed{Who: who} },
	}
	return g.command("resume", "End what lull pause and lull drain began",
		"Frozen tasks go on where they were. --all also ends the pause of the pool; a host that was paused by itself goes on too.")
}

func drainCommand() *cobra.Command {
	g := &gate{
		done: "draining: it finishes what it runs and gets nothing more", doneAll: "All hosts are draining.",
		host: func(name, who, why string) subjects.Event { return &subjects.Drained{Host: name, Who: who, Why: why} },
	}
	return g.command("drain", "Let hosts finish what they run and give them nothing more",
		"Their outputs stay to be fetched. lull hosts shows when none of their slots is taken; lull resume ends it.")
}

func (g *gate) command(verb, short, long string) *cobra.Command {
	cmd := &cobra.Command{
		Use: verb + " HOST… | --all", Short: short, Long: strings.TrimSpace(short + ".\n\n" + long), Args: g.args,
		RunE:              func(cmd *cobra.Command, args []string) error { return g.run(cmd, args) },
		Example:           fmt.Sprintf("  lull %[1]s host-7\n  lull %[1]s --all --why \"the shop is slow\"", verb),
		ValidArgsFunction: g.completeHosts(),
	}
	g.flags(cmd)
	cmd.Flags().BoolVar(&g.whole, "all", false, "every host of the pool")
	cmd.Flags().StringVar(&g.reason, "why", "", "the reason, for those who look")
	return cmd
}

func (g *gate) args(_ *cobra.Command, args []string) error {
	switch {
	case g.whole && len(args) > 0:
		return fmt.Errorf("--all and %s: use one of them", strings.Join(args, " "))
	case !g.whole && len(args) == 0:
		return errors.New("name hosts, or --all")
	}
	return nil
}

func (g *gate) run(cmd *cobra.Command, names []string) error {
	ctx := cmd.Context()
	c, view, err := g.view(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if g.whole {
		return g.everywhere(ctx, cmd, c, view.State)
	}
	var batch []subjects.Event
	for _, name := range names {
		if view.State.Host(name) == nil {
			return exit.With(exit.Usage, fmt.Errorf("no host %q: lull hosts lists those there are", name))
		}
		batch = append(batch, g.host(name, client.Who(), g.reason))
	}
	if err := c.Say(ctx, view.State, batch...); err != nil {
		return err
	}
	for _, name := range names {
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, g.done)
	}
	return nil
}

// everywhere speaks to the pool and to each host, in one batch: a host acts on
// its own subject, the pool's word is for those that join later.
func (g *gate) everywhere(ctx context.Context, cmd *cobra.Command, c *client.Client, s *ledger.State) error {
	var batch []subjects.Event
	if g.pool != nil {
		batch = append(batch, g.pool(client.Who(), g.reason))
	}
	for _, h := range s.Hosts() {
		batch = append(batch, g.host(h.Name, client.Who(), g.reason))
	}
	if len(batch) > 0 {
		if err := c.Say(ctx, s, batch...); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), g.doneAll)
	return err
}
