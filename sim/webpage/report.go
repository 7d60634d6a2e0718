package webpage

import "time"

// Report is what a page shows.
type Report struct {
	Title string
	// Lead says in a sentence what was compared.
	Lead string
	// Header and Rows are the table of policies. In each column, the cells of
	// rows that are Best are highlighted.
	Header []string
	Rows   []Row
	// Notes are printed under the table: what a reader must know to understand it.
	Notes []string
	// Cores is the sum of the cores of all hosts: the top of the plots of CPU.
	Cores    float64
	Policies []Policy
	// Primary is the share of each host's cores that its primary uses, over
	// PrimarySpan.
	Primary     []Strip
	PrimarySpan time.Duration
	// Made says how the page was computed; Command is the command line.
	Made    []Fact
	Command string
}

// Row is a policy in the table.
type Row struct {
	Cells []string
	Best  []bool // by column; may be shorter than Cells
}

// Fact is a term and its value in words.
type Fact struct{ Term, Text string }

// Policy is what the plots show of one policy.
type Policy struct {
	Name string
	// Met, Missed and Rejected are numbers of jobs with a deadline, Free is the
	// number of jobs without one.
	Met, Missed, Rejected, Free float64
	// Span is the time that Primary, Harvested and Hosts cover, each in equal steps.
	Span time.Duration
	// Primary and Harvested are cores in use, on average over each step.
	Primary, Harvested []float64
	// Used has, for each job with a deadline that ended, the time that it took over
	// the time from submission to deadline, in rising order. Above 1 the job was late.
	Used []float64
	// Waits has each job's seconds from submission to its first task, in rising order.
	Waits []float64
	// Hosts has the shares of each host's cores that batch work used.
	Hosts []Strip
}

// Strip is what one host used over time, or several adjacent hosts together.
type Strip struct {
	Name   string
	Shares []float64 // 0 to 1
}
