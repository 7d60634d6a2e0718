package past

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/importer"
	"lull/subjects/history"
	"lull/subjects/humane"
)

type importing struct {
	cli.Connection
	source
	dry bool
}

func importCommand() *cobra.Command {
	var i importing
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Import the usage of hosts that another monitoring recorded", Args: cli.Wants(1, 1),
		Long: `Import the CPU usage of hosts that another monitoring recorded, up to 31 days back,
so that the pool knows its primaries before agents have run for weeks.

FILE is a CSV file, plain or gzipped, with percent of the whole host: either one row a
host with a column for each sample (series_id,1764547200,1764547500), or one row a
sample (series_id,t_seconds,cpu_pct). docs/sim.md describes both. series_id is the name
of the host, as lull hosts lists it. A missing sample stays missing.

A second import of the same file changes nothing, and one that broke off is completed
by running it again. Where the host's agent has a sample, that one counts.`,
		Example: "  lull history import usage.csv --tenants tenants.csv --dry-run\n  lull history import usage.csv.gz --start 2026-11-01T00:00:00Z",
		RunE:    func(cmd *cobra.Command, args []string) error { return i.run(cmd, args[0]) },
	}
	i.Flags(cmd)
	i.flags(cmd.Flags())
	cmd.Flags().BoolVar(&i.dry, "dry-run", false, "say what would be imported, and import nothing")
	for _, name := range []string{"tenants", "machines"} {
		_ = cmd.MarkFlagFilename(name, "csv", "gz")
	}
	cli.UsageErrors(cmd)
	return cmd
}

func (i *importing) run(cmd *cobra.Command, path string) error {
	i.path = path
	read, err := i.read(time.Now())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	c, view, err := i.View(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Samples().HistoryInfo(cmd.Context()); err != nil {
		return absent(err)
	}
	r, err := read.Put(cmd.Context(), c.Samples(), i.dry)
	if err != nil {
		return err
	}
	if r.Samples == 0 {
		return exit.With(exit.Usage, read.nothing())
	}
	i.tell(cmd.OutOrStdout(), r)
	for _, note := range read.notes(view) {
		_, _ = fmt.Fprintln(cmd.OutOrStdout(), note)
	}
	return nil
}

// nothing says why a file has no sample to import.
func (c *contents) nothing() error {
	if c.Old > 0 {
		return fmt.Errorf("%s: all samples are older than %d days, which is as far as history goes: import newer ones, or correct --start", c.source.path, history.Days)
	}
	return fmt.Errorf("%s: it has no samples: each value is missing", c.source.path)
}

// tell prints what the import changed, or would change.
func (i *importing) tell(out io.Writer, r importer.Result) {
	_, _ = fmt.Fprintf(out, "%s: %s of %s\n", i.path, humane.Count(r.Samples, "sample"), humane.Count(r.Hosts, "host"))
	what := fmt.Sprintf("%s in %s, %s", humane.Count(r.New, "new sample"), humane.Count(r.Blocks, "block"), humane.Bytes(int64(r.Bytes)))
	switch {
	case r.New == 0:
		what = "Nothing changes: the pool has all of them."
	case i.dry:
		what = "An import would put " + what
	default:
		what = "Imported " + what
	}
	_, _ = fmt.Fprintln(out, what)
}

// notes are what the reader of the result should know.
func (c *contents) notes(view *client.View) (notes []string) {
	some := func(n int, noun, text string, args ...any) {
		if n > 0 {
			notes = append(notes, humane.Count(n, noun)+" "+fmt.Sprintf(text, args...))
		}
	}
	some(c.Old, "sample", "older than %d days left out.", history.Days)
	some(c.Clipped, "value", "above 100 %% counted as 100 %%.")
	some(c.Skipped, "bad row", "skipped.")
	strange := among(c.Hosts, func(h string) bool { return view.State.Host(h) == nil })
	if len(strange) > 0 {
		some(len(strange), "host", "not known to the pool, such as %s: the samples count for an agent of that name.", strange[0])
	}
	if c.source.tenants == "" {
		return notes
	}
	if alone := among(c.Hosts, func(h string) bool { return c.Tenants[h] == "" }); len(alone) > 0 {
		some(len(alone), "host", "without a tenant in %s, such as %s.", c.source.tenants, alone[0])
	}
	return notes
}

// among are the hosts of which something is true.
func among(hosts []string, is func(string) bool) (some []string) {
	for _, h := range hosts {
		if is(h) {
			some = append(some, h)
		}
	}
	return some
}
