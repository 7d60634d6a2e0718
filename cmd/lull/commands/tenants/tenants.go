package tenants

import (
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/help"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/profile"
)

type tenants struct {
	cli.Connection
	format listing.Format
	html   string
}

// tenantRow is a tenant in tenants --output json. Shares are of the host's cores, 0 to 1.
type tenantRow struct {
	Tenant     string    `json:"tenant"`
	Hosts      uint32    `json:"hosts"`
	Class      string    `json:"class,omitempty"`
	Pattern    string    `json:"pattern"`
	Confidence float64   `json:"confidence"`
	Average    float64   `json:"average"`
	Peak       float64   `json:"peak"`
	Observed   float64   `json:"observed"` // part of the window that is no gap
	From       string    `json:"from"`
	Until      string    `json:"until"`
	Weekday    []float64 `json:"weekday,omitempty"` // usage to expect in each hour, UTC
	Weekend    []float64 `json:"weekend,omitempty"` // where Saturdays and Sundays differ
	Misses     []float64 `json:"misses,omitempty"`  // by how much usage exceeds the expected one, for each of profile.Spans
	Tasks      float64   `json:"tasks,omitempty"`   // its last tasks with a prediction of how likely they stay
	Predicted  float64   `json:"told,omitempty"`    // share of them that was predicted to stay
	Stayed     float64   `json:"stayed,omitempty"`  // share of them that did
	Why        string    `json:"why"`               // why it was reported: new, pattern, hours, peak, age, class
}

func tenantsCommand() *cobra.Command {
	var t tenants
	cmd := &cobra.Command{
		Use: "tenants", Short: "List tenants, the patterns of their usage and their classes", Args: cli.ArgCount(0, 0),
		Long: `List the tenants of the pool's hosts by name, with what the classifier learnt from up to
28 days of their usage. A host without a tenant is one of its own, as host:NAME. Agents
name their tenants (--tenant), and are believed until lull tenants set lists them.

  CLASS    tenants whose usage is alike share one. "-": less than two days are known
  PATTERN  periodic: each day is like the last. constant: always about the same.
           unpredictable: neither, or not enough is known
  SURE     confidence in the pattern
  AVERAGE  of its hosts' cores, over all samples
  PEAK     what 199 of 200 samples stay below
  DAY      usage to expect in each hour from 0 to 23 h UTC, between nothing and all
           cores; after it the day of a weekend, if that differs
  STAYED   share of its last tasks that the primary did not end, and the share that was
           predicted to stay; on hosts with a core reserve. "!": they differ by more
           than chance explains

lull classify classifies now; otherwise it is done once a day, and within hours for a
tenant whose usage changes.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return t.run(cmd) },
	}
	t.Flags(cmd)
	t.format.Flag(cmd)
	cmd.Flags().StringVar(&t.html, "html", "", "write a page with each tenant's day and week to a file")
	help.JSON(cmd, `An array of objects, one a tenant:
tenant, hosts (present ones), class, pattern
confidence, average, peak, observed    0 to 1
from, until        what it was learnt from
tasks, told, stayed    its last tasks, and the shares of them that were predicted to
                       stay beside the primary and that did; absent without any
weekday, weekend   usage to expect in each hour of a day in UTC, 0 to 1
misses             by how much the mean usage of 1, 4, 12 and 24 hours exceeds the
                   expected one at the 95th percentile, 0 to 1
why                of the last report: new, pattern, hours, peak, age, class`)
	cmd.AddCommand(setCommand(), unsetCommand())
	for _, c := range cmd.Commands() {
		cli.UsageErrors(c)
	}
	return cmd
}

func (t *tenants) run(cmd *cobra.Command) error {
	c, err := t.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	lines, last, err := c.Tenants(cmd.Context())
	if err != nil {
		return err
	}
	if t.html != "" {
		if err := os.WriteFile(t.html, []byte(page(lines, last)), 0o644); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
		_, err = fmt.Fprintf(t.Out(cmd), "wrote %s\n", t.html)
		return err
	}
	rows := make([]tenantRow, len(lines))
	for i := range lines {
		rows[i] = rowOf(&lines[i])
	}
	header := []string{"TENANT", "HOSTS", "CLASS", "PATTERN", "SURE", "AVERAGE", "PEAK", "STAYED", "DAY"}
	if err := listing.Print(t.Out(cmd), t.format, rows, header, tenantRow.cells, nothing(last)); err != nil || t.format == listing.JSON || last == nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out(cmd), "\nclassified %s (%s)\n", listing.Stamp(last.At), last.Why)
	return err
}

// nothing says why the list is empty.
func nothing(last *subjects.PoolClassified) string {
	if last == nil {
		return "Nothing is known of tenants yet. Agents send their history once an hour; import what another monitoring knows: lull history import"
	}
	return "No tenant has history of the last 28 days."
}

func rowOf(line *subjects.TenantLine) tenantRow {
	class := line.Class
	p := &class.Profile
	row := tenantRow{
		Tenant: line.Tenant, Hosts: line.Hosts, Class: class.Class, Pattern: p.Pattern.String(), Confidence: p.Confidence,
		Average: p.Average, Peak: p.Peak, Observed: p.Observed, Why: class.Why, Misses: p.Misses(),
		From: listing.Stamp(p.From * int64(time.Second)), Until: listing.Stamp(p.Until * int64(time.Second)),
	}
	if s := line.Stays; s != nil && s.Tasks > 0 {
		row.Tasks, row.Predicted, row.Stayed = s.Tasks, s.Predicted/s.Tasks, s.Seen/s.Tasks
	}
	if len(p.Hours) > 0 {
		row.Weekday = hours(p, monday)
	}
	if p.Weekend() {
		row.Weekend = hours(p, monday.AddDate(0, 0, 5))
	}
	return row
}

// monday is any Monday.
var monday = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// hours is the usage to expect in the hours of a day.
func hours(p *profile.Profile, day time.Time) []float64 {
	expected := make([]float64, 24)
	for h := range expected {
		expected[h] = p.Expect(day.Add(time.Duration(h) * time.Hour))
	}
	return expected
}

func (r tenantRow) cells() []string {
	class, day := "-", "-"
	if r.Class != "" {
		class = r.Class
	}
	if r.Weekday != nil {
		day = sparkline(r.Weekday)
	}
	if r.Weekend != nil {
		day += " " + sparkline(r.Weekend)
	}
	sure := "-"
	if r.Confidence > 0 {
		sure = humane.Percent(r.Confidence)
	}
	return []string{
		r.Tenant, fmt.Sprint(r.Hosts), class, r.Pattern, sure, humane.Percent(r.Average), humane.Percent(r.Peak), r.stays(), day,
	}
}

const (
	// fewTasks is the number of tasks below which nothing follows about predictions.
	fewTasks = 30
	// slack is the difference of shares that predictions are allowed, beside chance.
	slack = 0.05
)

// stays describes the share of tasks that stayed, beside the share that was predicted to.
func (r tenantRow) stays() string {
	if r.Tasks <= 0 {
		return "-"
	}
	text := humane.Percent(r.Stayed) + " of " + humane.Percent(r.Predicted)
	if r.parts() {
		text += " !"
	}
	return text
}

// parts reports whether predicted and seen survival differ by more than chance explains: by more than the
// slack and two standard deviations for that many tasks.
func (r tenantRow) parts() bool {
	chance := math.Sqrt(max(r.Predicted*(1-r.Predicted), 0) / max(r.Tasks, 1))
	return r.Tasks >= fewTasks && math.Abs(r.Predicted-r.Stayed) > slack+2*chance
}

// sparkline draws shares from 0 to 1, one character each.
func sparkline(shares []float64) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	var line strings.Builder
	for _, s := range shares {
		line.WriteRune(bars[min(max(int(s*float64(len(bars))), 0), len(bars)-1)])
	}
	return line.String()
}
