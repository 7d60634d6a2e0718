package commands

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
)

// forgetting declares that hosts never come back.
type forgetting struct {
	connection
	reason string
}

func hostsForgetCommand() *cobra.Command {
	var f forgetting
	cmd := &cobra.Command{
		Use: "forget HOST…", Short: "Give up hosts that never come back", Args: wants(1, noLimit),
		Long: `Give up hosts that never come back: their attempts end, so that
jobs can be forgotten, and outputs that only they kept are made again. The slotter
does so by itself after a week (--forget-host). A host that comes back after all
joins anew; what it says of its earlier tasks counts for nothing.`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), cmd, args) },
	}
	cmd.ValidArgsFunction = f.completeHosts()
	f.flags(cmd)
	cmd.Flags().StringVar(&f.reason, "why", "", "the reason, which the log keeps")
	return cmd
}

func (f *forgetting) run(ctx context.Context, cmd *cobra.Command, names []string) error {
	c, view, err := f.view(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var batch []subjects.Event
	for _, name := range names {
		if err := forgettable(view.State.Host(name), name); err != nil {
			return exit.With(exit.Usage, err)
		}
		batch = append(batch, &subjects.Drained{Host: name, Forget: true, Who: client.Who(), Why: f.reason})
	}
	if err := c.Say(ctx, view.State, batch...); err != nil {
		return err
	}
	for _, name := range names {
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s is given up: its attempts have ended\n", name)
	}
	return nil
}

// forgettable returns why a host cannot be given up, nil if it can.
func forgettable(h *ledger.Host, name string) error {
	switch {
	case h == nil:
		return fmt.Errorf("no host %q: lull hosts lists those there are", name)
	case !h.Gone:
		return fmt.Errorf("host %s is %s: only one that left or was lost can be forgotten; stop its agent, or use lull drain %s", name, h.State(), name)
	}
	return nil
}
