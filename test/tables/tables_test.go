package tables

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"testing"

	"lull/test/report"
)

func TestAMissedBoundFailsExactTablesOnly(t *testing.T) {
	missing := func(context.Context, bool) (*report.Report, error) {
		return &report.Report{Checks: []report.Check{report.AtMost("jobs late", 3, 2)}}, nil
	}
	n := 0 // what the last run was given
	c := Command{Name: "bench", Path: "bench", Tables: []Table{
		{Name: "exact", Run: missing, Exact: true},
		{Name: "measured", Run: missing, Flags: func(f *flag.FlagSet) { f.IntVar(&n, "n", 1, "") }},
	}}
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"exact", 1, "jobs late"},
		{"exact --quick", 0, ""},
		{"measured --output xml", 1, "--output xml"},
		{"measured --m", 2, "-m"},
		{"none", 2, "no table is called none"},
		{"measured none", 2, "no table is called none"},
		{"measured exact measured", 1, "jobs late"},
		{"measured exact --quick --n 3", 2, "-n"},
		{"", 2, "bench exact"},
		{"measured --n 7 --output json", 0, ""},
	} {
		var out, log bytes.Buffer
		code := c.run(t.Context(), strings.Fields(test.args), &out, &log)
		if code != test.code || !strings.Contains(log.String(), test.says) {
			t.Errorf("bench %s = exit code %d, %q, want %d and %q", test.args, code, log.String(), test.code, test.says)
		}
		if code == 0 && !strings.Contains(out.String(), "jobs late") {
			t.Errorf("bench %s prints %q, want it to contain jobs late", test.args, out.String())
		}
	}
	if n != 7 {
		t.Errorf("the table's own flag = %d, want 7", n)
	}
}
