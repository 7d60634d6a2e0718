package models

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lull/cmd/lull/commands/listing"
	"lull/subjects"
	"lull/subjects/tct"
)

func someModels() []*subjects.Fitted {
	return []*subjects.Fitted{
		{Type: "grep", A: 7, Low: 0.07, High: 1, NRMSE: 0.081, Over: 0.5, Under: 0.5, OverBy: 0.1, UnderBy: 0.1, Fast: 0.9, Slow: 1.12, Samples: 40},
		{Type: "sort", A: 21, Low: 0.3, High: 0.8, Drift: true, NRMSE: 0.4, Over: 0.57, Under: 0.43, OverBy: 0.35, UnderBy: 0.29, Samples: 4096, Size: 1e6, Least: 1e6, Most: 1e6},
		{Type: "wordcount:map", A: 9000, B: -12, C: 2000, D: -1, Low: 0.1, High: 1, NRMSE: 0.0814, Over: 0.57, Under: 0.43, OverBy: 0.35, UnderBy: 0.29,
			Fast: 0.87, Slow: 1.15, Samples: 81920, Size: 64e6, Least: 1e6, Most: 128e6, Fixed: 0.3, Read90: 123e6},
		{Type: "once:output", A: 0.02, Low: 0.9, High: 0.95, Samples: 10},
		{Type: "new", A: 3, Low: 0.5, High: 0.5, Fast: 0.5, Slow: 2, Samples: 2},
	}
}

func TestModelsFitAHundredColumns(t *testing.T) {
	var b strings.Builder
	var rows []modelRow
	for _, f := range someModels() {
		rows = append(rows, modelRowOf(f))
	}
	header := []string{"MODEL", "IDLE", "HALF", "ERROR", "TOO LONG", "TOO SHORT", "SAMPLES", "INPUT", "READS", "SEEN"}
	if err := listing.Print(&b, listing.Table, rows, header, modelRow.cells, ""); err != nil {
		t.Fatal(err)
	}
	if err := warn(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, f := range someModels() {
		b.WriteString(modelPage(f))
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 && !strings.Contains(line, "\x1b") {
			t.Errorf("columns = %d, want at most 100, in %s", n, line)
		}
	}
	if n := strings.Count(b.String(), "DRIFT"); n != 3 {
		t.Errorf("alarms = %d, want 3: in the list, below it and on the model's page:\n%s", n, b.String())
	}
}

func TestNoErrorIsShownOfFewTasks(t *testing.T) {
	f := someModels()[4]
	if cells := modelRowOf(f).cells(); cells[3] != "-" || cells[4] != "-" || cells[5] != "-" {
		t.Errorf("cells of a model of %d tasks = %q, want no errors in them", f.Samples, cells)
	}
	if page := modelPage(f); !strings.Contains(page, "unknown before 5 tasks") || strings.Contains(page, "too long") {
		t.Errorf("page of a model of %d tasks =\n%s\nwant its error unknown", f.Samples, page)
	}
}

func TestThePlotShowsTheCurveAndWhatWasSeen(t *testing.T) {
	f := someModels()[2]
	lines := strings.Split(plot(tct.Of(f), f.Low, f.High), "\n")
	top, bottom := []rune(lines[0]), []rune(lines[plotHeight-1])
	if top[12] != '·' || bottom[len(bottom)-1] != '●' || len(bottom) != 12+plotWidth {
		t.Errorf("plot =\n%s\nwant a curve that falls from the left, where nothing was seen, to the right", strings.Join(lines, "\n"))
	}
	for x := range plotWidth {
		marks := 0
		for _, line := range lines[:plotHeight] {
			if row := []rune(line); 12+x < len(row) && row[12+x] != ' ' {
				marks++
			}
		}
		if marks != 1 {
			t.Fatalf("marks in column %d = %d, want 1", x, marks)
		}
	}
}

func TestAFlatCurveLooksFlat(t *testing.T) {
	f := &subjects.Fitted{A: 5, B: 0.02, Low: 0.05, High: 1}
	marked := 0
	for line := range strings.Lines(plot(tct.Of(f), f.Low, f.High)) {
		if strings.Contains(line, "●●") {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("rows of the plot with a mark = %d, want 1", marked)
	}
}
