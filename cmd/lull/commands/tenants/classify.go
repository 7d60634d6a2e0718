package tenants

import (
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/humane"
)

type classify struct {
	cli.Connection
	format listing.Format
	dry    bool
}

// changeRow is a changed tenant in classify --output json.
type changeRow struct {
	Tenant string `json:"tenant"`
	Before string `json:"before,omitempty"` // class
	After  string `json:"after,omitempty"`
	Why    string `json:"why"`
	Gone   bool   `json:"gone,omitempty"`
}

func classifyCommand() *cobra.Command {
	var c classify
	cmd := &cobra.Command{
		Use: "classify", Short: "Classify the pool's tenants now", Args: cli.ArgCount(0, 0),
		Long: `Make the classifier read the tenants' latest history and classify them now, as it does
by itself once a day. The command prints the tenants whose profile or class changed.`,
		Example: "  lull classify --dry-run",
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	c.Flags(cmd)
	c.format.Flag(cmd)
	cmd.Flags().BoolVar(&c.dry, "dry-run", false, "only print what would change")
	help.JSON(cmd, `An array of objects, one a changed tenant (the first thousand):
tenant, before, after    classes, absent for none
why                      new, pattern, hours, peak, age, class, gone
gone                     its last samples are older than 28 days`)
	return cmd
}

func (c *classify) run(cmd *cobra.Command) error {
	conn, err := c.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer conn.Close()
	answer, err := conn.Classify(cmd.Context(), c.dry)
	if err != nil {
		return err
	}
	rows := make([]changeRow, len(answer.Changes))
	for i, change := range answer.Changes {
		rows[i] = changeRow{change.Tenant, change.Before, change.After, change.Why, change.Gone}
	}
	if len(rows) > 0 || c.format == listing.JSON {
		err := listing.Print(c.Out(cmd), c.format, rows, []string{"TENANT", "BEFORE", "AFTER", "WHY"}, changeRow.cells, "")
		if err != nil || c.format == listing.JSON {
			return err
		}
	}
	_, err = fmt.Fprintln(c.Out(cmd), summary(answer, c.dry))
	return err
}

func summary(a *subjects.ClassifyAnswer, dry bool) string {
	if a.Tenants == 0 {
		return "No host has history yet."
	}
	verb := "changed"
	if dry {
		verb = "would change"
	}
	return fmt.Sprintf("%d of %s %s, by the history of %s", a.Changed, humane.Count(int(a.Tenants), "tenant"), verb, humane.Count(int(a.Hosts), "host"))
}

func (r changeRow) cells() []string {
	class := func(name string) string {
		if name == "" {
			return "-"
		}
		return name
	}
	return []string{r.Tenant, class(r.Before), class(r.After), r.Why}
}
