package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
)

func repairCommand() *cobra.Command {
	var (
		data   string
		again  bool
		server dial.Server
		pool   string
		last   uint64
	)
	cmd := &cobra.Command{
		Use: "repair", Short: "Repair a damaged data folder; entries that are lost stay lost", Args: flags.NoArgs,
		Long: "Check the store of `lull up` or `lull server` in a data folder, correct what can be corrected, and\n" +
			"let the pool go on without the entries that are lost. Restore a backup of the folder instead if\n" +
			"you have one: that loses less.\n\n" +
			"Stop all processes that use the folder first. Each file is copied to DATA/jetstream/damaged before\n" +
			"it is changed. The command prints what is lost. Jobs that the log has lost run again if the inbox\n" +
			"still holds them.\n\n" +
			"With --nats it repairs the log of a pool on another server that has lost its last entries: it\n" +
			"fills the log up to the entry --last, which the error of a service or agent names. Stop the\n" +
			"services of the pool first.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if server.URL != "" {
				return repairTail(cmd.Context(), &server, pool, last, cmd.OutOrStdout())
			}
			say := func(format string, args ...any) { _, _ = fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...) }
			return local.Repair(data, again, say)
		},
	}
	cmd.Flags().StringVar(&data, "data", folder.Default(), "data folder ($LULL_DATA)")
	cmd.Flags().BoolVar(&again, "again", false, "if the whole log is lost, run all jobs again that are in the inbox, up to 30 days old")
	server.Flags(cmd.Flags())
	cmd.Flags().StringVar(&pool, "pool", string(subjects.DefaultPool), "with --nats: pool of which the log is filled")
	cmd.Flags().Uint64Var(&last, "last", 0, "with --nats: number of the last entry that the log had")
	return cmd
}

// repairTail fills the log of a pool on another server up to entry last, in place of its lost last entries.
func repairTail(ctx context.Context, server *dial.Server, name string, last uint64, out io.Writer) error {
	pool, err := subjects.ParsePool(name)
	if err == nil && last == 0 {
		err = errors.New("--last is missing: use the entry that the error of a service or agent of the pool names")
	}
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	conn, err := server.Dial("repair")
	if err != nil {
		return exit.With(exit.Unreachable, err)
	}
	defer conn.Close()
	ctx, stop := context.WithTimeout(ctx, repairPatience)
	defer stop()
	bus, err := jetstream.Open(ctx, conn, pool)
	if err != nil {
		return err
	}
	info, err := bus.Log(ctx)
	if err != nil {
		return err
	}
	if info.Last >= last {
		_, err = fmt.Fprintf(out, "the log of pool %s ends at entry %d: nothing before %d is missing\n", pool, info.Last, last)
		return err
	}
	if last-info.Last > mostVoided {
		return exit.With(exit.Usage, fmt.Errorf("--last %d: the log of pool %s ends at %d; at most %d entries can be filled: restore the stream from a backup, or create a new pool", last, pool, info.Last, mostVoided))
	}
	if err := bus.Void(ctx, last); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "entries %d to %d of pool %s are lost: readers skip them, and no new entry gets their numbers\n", info.Last+1, last, pool)
	return err
}

const (
	repairPatience = 10 * time.Minute
	mostVoided     = 10_000_000 // entries that are filled at most, about 1 GB
)
