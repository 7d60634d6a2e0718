package webpage

import "time"

// Report is what a page shows.
type Report struct {
	Title string
	// Lead says in a sentence what was compared.
	Lead string
	// Header and Rows are the table of policies. A row that is Best in a
	// column has that cell set off.
	Header []string
	Rows   []Row
	// Notes stand under the table: what a reader must know beside it.
	Notes []string
	// Cores is what all hosts have: the top of the plots of CPU.
	Cores    float64
	Policies []Policy
	// Primary is what the primaries use of each host, over PrimarySpan.
	Primary     []Strip
	PrimarySpan time.Duration
	// Made says how the page was computed; Command is the command line.
	Made    []Fact
	Command string
}

// Row is a policy in the table.
type Row struct {
	Cells []string
	Best  []bool // by column; may be shorter
}

// Fact is a term and its value in words.
type Fact struct{ Term, Text string }

// Policy is what the plots show of one.
type Policy struct {
	Name string
	// Met, Missed and Rejected are jobs with a deadline, Free those without.
	Met, Missed, Rejected, Free float64
	// Span is what Primary, Harvested and Hosts cover, in equal steps.
	Span time.Duration
	// Primary and Harvested are cores in use, on average over each step.
	Primary, Harvested []float64
	// Used is, of each job with a deadline that ended, the time it took over
	// the time it had; rising. Above 1 it was late.
	Used []float64
	// Waits are seconds from submission to the first task; rising.
	Waits []float64
	// Hosts are shares of each host's cores that batch work used.
	Hosts []Strip
}

// Strip is a host, or several alike in a row, over time.
type Strip struct {
	Name   string
	Shares []float64 // 0 to 1
}
