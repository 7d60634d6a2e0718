package jobs

import (
	"fmt"
	"io"

	"lull/client/forecast"
	"lull/cmd/lull/commands/listing"
)

// printForecast prints the verdict that a job would get.
func printForecast(w io.Writer, f forecast.Page) error {
	p := sheet{w: w}
	p.sayf("%s\n\n", f.Verdict)
	for _, line := range f.Times {
		p.sayf("  %-15s %s\n", line.Label, line.Text)
	}
	p.sayf("\n")
	if len(f.Stages) > 0 {
		p.list(listing.Print(w, listing.Table, f.Stages,
			[]string{"STAGE", "TASKS", "AT ONCE", "ON AN IDLE CORE", "SOURCE"}, stageCells, ""))
	}
	if f.Pushed != "" {
		p.sayf("%s:\n", f.Pushed)
		p.list(listing.Print(w, listing.Table, f.Pushes, []string{"JOB", "DELAY", "THEN"}, pushCells, ""))
	}
	p.sayf("Nothing was submitted.\n")
	return p.err
}

func stageCells(s forecast.Stage) []string {
	return []string{s.Name, fmt.Sprint(s.Tasks), fmt.Sprint(s.AtOnce), s.OnIdleCore, s.KnownFrom}
}

func pushCells(x forecast.Push) []string { return []string{x.Job, x.Later, x.Then} }

// sheet keeps the first error of writing.
type sheet struct {
	w   io.Writer
	err error
}

func (p *sheet) sayf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// list ends a table with an empty line.
func (p *sheet) list(err error) {
	if p.err == nil {
		p.err = err
	}
	p.sayf("\n")
}
