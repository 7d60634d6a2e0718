package past

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/subjects/history"
	"lull/subjects/humane"
)

type list struct {
	cli.Connection
	format listing.Format
}

func historyCommand() *cobra.Command {
	var l list
	cmd := &cobra.Command{
		Use: "history", Short: "List what the pool keeps of its hosts' past, or import it", Args: cli.ArgCount(0, 0),
		Long: `List the hosts of which the pool keeps samples, each of two minutes, of what the
primary used in the last 31 days. Agents send theirs each hour.

  TENANT    owner that the last sample names; of an agent's sample that is a claim, and
            lull hosts has the tenant that counts
  DAYS      days (UTC) that have samples
  GAPS      samples that are missing between the first and the last one
  AGENT     samples that the host's agent took
  IMPORTED  samples that only an import has: where both have one, the agent's counts
  BYTES     of all blocks of the host
  LAST      when the last sample begins, in UTC`,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	l.Flags(cmd)
	l.format.Flag(cmd)
	help.JSON(cmd, `An array of objects, one a host:
host, tenant, days, samples, gaps, agent_samples, imported_samples, blocks,
bytes
first, last     when the first and the last sample begin`)
	cmd.AddCommand(importCommand())
	return cmd
}

func (l *list) run(cmd *cobra.Command) error {
	c, err := l.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	samples := c.Samples()
	if _, err := samples.HistoryInfo(cmd.Context()); err != nil {
		return absent(err)
	}
	s := newSurvey(samples.Pool(), time.Now())
	rows, err := s.rows(cmd.Context(), samples)
	if err != nil {
		return err
	}
	if s.unread > 0 {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s cannot be read, because of damage or because a newer lull wrote what this one (%s) does not know; they are left out.\n",
			humane.Count(s.unread, "block"), cmd.Root().Version)
	}
	return l.print(l.Out(cmd), rows)
}

func (l *list) print(out io.Writer, rows []row) error {
	header := []string{"HOST", "TENANT", "DAYS", "SAMPLES", "GAPS", "AGENT", "IMPORTED", "BYTES", "LAST"}
	err := listing.Print(out, l.format, rows, header, row.cells,
		"No samples. Agents send theirs each hour; lull history import brings those of another monitoring.")
	if err != nil || l.format == listing.JSON || len(rows) == 0 {
		return err
	}
	samples, bytes := 0, int64(0)
	for i := range rows {
		samples, bytes = samples+rows[i].Samples, bytes+rows[i].Bytes
	}
	_, err = fmt.Fprintf(out, "%s, %s, %s\n", humane.Count(len(rows), "host"), humane.Count(samples, "sample"), humane.Bytes(bytes))
	return err
}

func (r row) cells() []string {
	last := "-"
	if r.Samples > 0 {
		last = history.TimeOf(r.last).Format("2006-01-02 15:04")
	}
	return []string{
		r.Host, cmp.Or(r.Tenant, "-"), strconv.Itoa(r.Days), strconv.Itoa(r.Samples), strconv.Itoa(r.Gaps),
		strconv.Itoa(r.Agent), strconv.Itoa(r.Imported), humane.Bytes(r.Bytes), last,
	}
}

// absent says what to do about a pool that keeps no history.
func absent(err error) error {
	if errors.Is(err, jetstream.ErrNoPool) {
		return exit.With(exit.Error, fmt.Errorf("the pool keeps no history: restart its services with this version of lull (%w)", err))
	}
	return fmt.Errorf("history: %w", err)
}
