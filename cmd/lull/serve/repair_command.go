package serve

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/folder"
)

// remedy is the command that goes on without what a data folder has lost.
func remedy(data string) string { return "lull repair --data " + data }

func repairCommand() *cobra.Command {
	var (
		data  string
		again bool
	)
	cmd := &cobra.Command{
		Use: "repair", Short: "Go on without what a damaged data folder has lost", Args: noArgs,
		Long: "Check the store of `lull up` or `lull server` in a data folder, put right what can be, and let\n" +
			"the pool go on without what is lost. Nothing may run in the folder. A file is copied to\n" +
			"DATA/jetstream/damaged before it is changed. What is lost is told: jobs of which the log knows\n" +
			"nothing any more run again from the inbox, where that has them.\n" +
			"A backup of the folder, put back, loses nothing: look for one first.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			say := func(format string, args ...any) { _, _ = fmt.Fprintf(cmd.OutOrStdout(), format+"\n", args...) }
			return repair(data, again, say)
		},
	}
	cmd.Flags().StringVar(&data, "data", folder.Default(), "data folder ($LULL_DATA)")
	cmd.Flags().BoolVar(&again, "again", false, "if the whole log is lost, run again all jobs that the inbox holds, up to 30 days old")
	return cmd
}

// repair starts the server on a folder that nobody has, and stops it.
func repair(data string, again bool, say func(format string, args ...any)) (err error) {
	taken, err := folder.Take(data)
	if errors.Is(err, ErrTaken) {
		return exit.With(exit.Usage, fmt.Errorf("%w: stop it first", err))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, taken.Close()) }()
	told := false
	server, err := jetstream.Start(jetstream.EmbeddedConfig{
		Dir: taken.Path("jetstream"), SyncAlways: true, MaxStore: maxStore, Repair: true, Again: again,
		Seen: seen(taken.Dir),
		Tell: func(text string) { told = true; say("%s", text) },
	})
	if err != nil {
		return err
	}
	if err := server.Shutdown(); err != nil {
		return err
	}
	if !told {
		say("nothing is damaged in %s", taken.Dir)
	}
	return nil
}
