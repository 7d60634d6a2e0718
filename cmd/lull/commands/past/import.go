package past

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
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
	query
	dry bool
}

func importCommand() *cobra.Command {
	var i importing
	cmd := &cobra.Command{
		Use: "import FILE | --prometheus URL --query PROMQL", Short: "Import the usage of hosts that another monitoring system recorded", Args: cli.ArgCount(0, 1),
		Long: `Import the CPU usage of hosts that another monitoring system recorded, up to 31 days back,
so that the pool knows its primaries before agents have run for weeks.

FILE is a CSV file, plain or gzipped, with percent of the whole host: either one row a
host with a column for each sample (series_id,1764547200,1764547500), or one row a
sample (series_id,t_seconds,cpu_pct). docs/sim.md describes both. series_id is the name
of the host, as lull hosts lists it. A missing sample stays missing.

With --prometheus, a Prometheus server is asked instead, for the last 31 days in steps of
two minutes. The query gives each host's usage as a share of its cores, from 0 to 1, and
keeps a label that names the host. A value counts for the two minutes before it.

A second import of the same samples changes nothing, and one that broke off is completed
by running it again. Where the host's agent has a sample, that one counts.`,
		Example: "  lull history import usage.csv --tenants tenants.csv --dry-run\n  lull history import usage.csv.gz --start 2026-11-01T00:00:00Z\n" +
			"  lull history import --prometheus http://127.0.0.1:9090 --query " + exampleQuery,
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd, strings.Join(args, "")) },
	}
	i.Flags(cmd)
	i.source.flags(cmd.Flags())
	i.query.flags(cmd.Flags())
	cmd.Flags().BoolVar(&i.dry, "dry-run", false, "say what would be imported, and import nothing")
	for _, name := range []string{"tenants", "machines"} {
		_ = cmd.MarkFlagFilename(name, "csv", "gz")
	}
	cli.UsageErrors(cmd)
	return cmd
}

// run imports a file, or what a server knows if no file is named.
func (i *importing) run(cmd *cobra.Command, path string) error {
	if i.url != "" {
		return i.ask(cmd, path)
	}
	i.path = path
	if i.path == "" {
		return exit.With(exit.Usage, errors.New("FILE is missing, or a server with --prometheus"))
	}
	if i.text != "" {
		return exit.With(exit.Usage, errors.New("--query is for a server: name it with --prometheus"))
	}
	read, err := i.read(time.Now())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	c, view, err := i.open(cmd)
	if err != nil {
		return err
	}
	defer c.Close()
	r, err := read.Put(cmd.Context(), c.Samples(), i.dry)
	if err != nil {
		return err
	}
	if r.Samples == 0 {
		return exit.With(exit.Usage, read.nothing())
	}
	i.printResult(cmd.OutOrStdout(), i.path, r)
	i.note(cmd.OutOrStdout(), counts{read.Old, read.Clipped, read.Skipped}, "bad row", read.Hosts, view, func(h string) bool { return read.Tenants[h] == "" })
	return nil
}

// ask imports what a server knows.
func (i *importing) ask(cmd *cobra.Command, path string) error {
	g, err := i.gathering(path, time.Now())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	c, view, err := i.open(cmd)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := g.run(cmd.Context(), c.Samples(), i.dry); err != nil {
		return err
	}
	if g.result.Samples == 0 {
		return exit.With(exit.Usage, fmt.Errorf("%s: the query gives no value in the last %d days: try it in the server's own page", i.url, history.Days))
	}
	out := cmd.OutOrStdout()
	i.printResult(out, i.url, g.result)
	i.note(out, g.counts, "bad value", g.hosts(), view, func(h string) bool { return g.owners[h] == "" && g.tenants[h] == "" })
	if ended := g.stale(); len(ended) > 0 {
		_, _ = fmt.Fprintf(out, "%s whose series ended before now, such as %s at %s: leave those out that are gone.\n",
			humane.Count(len(ended), "host"), ended[0], history.TimeOf(g.last[ended[0]]+1).Format(time.RFC3339))
	}
	return nil
}

// gathering prepares an import from a server.
func (i *importing) gathering(path string, now time.Time) (*gathering, error) {
	from, err := i.query.source(path, &i.source)
	if err != nil {
		return nil, err
	}
	read, err := i.tables(now)
	if err != nil {
		return nil, err
	}
	return &gathering{from: from, file: &i.source, tenants: read.Tenants, machines: read.machines, now: now}, nil
}

// open connects to a pool that keeps history.
func (i *importing) open(cmd *cobra.Command) (*client.Client, *client.View, error) {
	c, view, err := i.View(cmd.Context())
	if err != nil {
		return nil, nil, err
	}
	if _, err := c.Samples().HistoryInfo(cmd.Context()); err != nil {
		c.Close()
		return nil, nil, absent(err)
	}
	return c, view, nil
}

// nothing says why a file has no sample to import.
func (c *contents) nothing() error {
	if c.Old > 0 {
		return fmt.Errorf("%s: all samples are older than %d days, which is as far as history goes: import newer ones, or correct --start", c.source.path, history.Days)
	}
	return fmt.Errorf("%s: it has no samples: each value is missing", c.source.path)
}

// printResult prints what the import changed, or would change.
func (i *importing) printResult(out io.Writer, from string, r importer.Result) {
	_, _ = fmt.Fprintf(out, "%s: %s of %s\n", from, humane.Count(r.Samples, "sample"), humane.Count(r.Hosts, "host"))
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

// note prints what the reader of the result should know. bad is the noun for a skipped item; alone
// reports whether a host has no known tenant.
func (i *importing) note(out io.Writer, n counts, bad string, hosts []string, view *client.View, alone func(string) bool) {
	some := func(n int, noun, text string, args ...any) {
		if n > 0 {
			_, _ = fmt.Fprintln(out, humane.Count(n, noun)+" "+fmt.Sprintf(text, args...))
		}
	}
	some(n.Old, "sample", "older than %d days left out.", history.Days)
	some(n.Clipped, "value", "above 100 %% counted as 100 %%.")
	some(n.Skipped, bad, "skipped.")
	if strange := among(hosts, func(h string) bool { return view.State.Host(h) == nil }); len(strange) > 0 {
		some(len(strange), "host", "not known to the pool, such as %s: the samples count for an agent of that name.", strange[0])
	}
	if i.tenants == "" && i.owner == "" {
		return
	}
	if alone := among(hosts, alone); len(alone) > 0 {
		some(len(alone), "host", "without a tenant in %s, such as %s.", cmp.Or(i.tenants, "label "+i.owner), alone[0])
	}
}

// among returns the hosts for which is returns true.
func among(hosts []string, is func(string) bool) (some []string) {
	for _, h := range hosts {
		if is(h) {
			some = append(some, h)
		}
	}
	return some
}
