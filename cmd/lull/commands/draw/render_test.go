package draw

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lull/client/progress"
	"lull/subjects"
	"lull/subjects/ledger"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// running is a job half way through its first stage.
func running() progress.View {
	return progress.View{
		Job: "wordcount-abcdefghij", Phase: ledger.Admitted, Since: start, Now: start.Add(12 * time.Second),
		Finish: start.Add(32 * time.Second), Deadline: start.Add(10 * time.Minute),
		Stages: []progress.Stage{
			{Name: "map", Tasks: 18, Done: 9, Held: 2, Evicted: 1},
			{Name: "reduce", Tasks: 4, WaitsFor: []string{"map"}},
			{Name: "publish", Tasks: 1, WaitsFor: []string{"reduce"}},
		},
		CPU:    subjects.CPUSum{Hosts: 1, Cores: 2, Primary: 0.31, Harvested: 1.62},
		Totals: subjects.Totals{Tasks: 23, Attempts: 12, Evicted: 1},
		Output: "/home/me/wordcount-out",
	}
}

func with(v progress.View, change func(*progress.View)) progress.View {
	change(&v)
	return v
}

func views() map[string]progress.View {
	return map[string]progress.View{
		"running": running(),
		"late":    with(running(), func(v *progress.View) { v.Deadline = start.Add(20 * time.Second) }),
		"overdue": with(running(), func(v *progress.View) { v.Finish, v.Deadline = start.Add(10*time.Second), time.Time{} }),
		"failing": with(running(), func(v *progress.View) { v.Stages[0].Failed, v.Stages[0].Dead = 4, 1 }),
		"paused":  with(running(), func(v *progress.View) { v.Stages[0].Held, v.Note = 0, "the pool is paused: lull resume --all goes on" }),
		"waiting": with(running(), func(v *progress.View) {
			v.Phase, v.Finish, v.Note, v.CPU = ledger.Submitted, time.Time{}, "waiting for the verdict of admission", subjects.CPUSum{}
		}),
		"trying": with(running(), func(v *progress.View) {
			v.Phase, v.Finish, v.Stages[0].Done, v.Stages[0].Held, v.CPU.Primary = ledger.Trying, time.Time{}, 0, 0, 1.96
			v.Note = "the machine is 98 % busy with its own work; next slot expected in about 2m 00s; the verdict of admission waits for a free slot for its first tasks, because too little is known of how long they take"
		}),
		"finished": with(running(), func(v *progress.View) { v.Phase, v.Ended = ledger.Finished, start.Add(31*time.Second) }),
		"one of thousands": with(running(), func(v *progress.View) {
			v.Stages = []progress.Stage{{Name: "a stage with a name that is long", Tasks: 100000, Done: 99998, Held: 1}}
		}),
	}
}

func TestRenderGolden(t *testing.T) {
	for name, v := range views() {
		var b strings.Builder
		for _, width := range []int{100, 60, 40, 30} {
			fmt.Fprintf(&b, "-- %d columns\n%s\n", width, ansi.Strip(Render(v, width)))
		}
		golden(t, name, b.String()+"-- line\n"+progress.Line(v)+"\n")
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("Render(%s) =\n%s\nwant\n%s", name, got, want)
	}
}

func TestRenderNeverExceedsTheWidth(t *testing.T) {
	for name, v := range views() {
		for width := 1; width < 120; width++ {
			for line := range strings.Lines(Render(v, width)) {
				if n := lipgloss.Width(strings.TrimSuffix(line, "\n")); n > width {
					t.Fatalf("Render(%s, %d) has the line %q of %d columns, want at most %d", name, width, line, n, width)
				}
			}
		}
	}
}

func TestBarShowsWhatThereIs(t *testing.T) {
	for _, c := range []struct {
		st   progress.Stage
		want string
	}{
		{progress.Stage{Tasks: 10, Done: 5}, "█████░░░░░"},
		{progress.Stage{Tasks: 1000, Done: 1, Held: 1}, "█▒░░░░░░░░"},
		{progress.Stage{Tasks: 1000, Done: 999, Held: 1}, "█████████▒"},
		{progress.Stage{Tasks: 1000, Done: 999}, "█████████░"},
		{progress.Stage{Tasks: 1000, Done: 1000}, "██████████"},
		{progress.Stage{Tasks: 3, Done: 1, Dead: 2}, "███××××××░"},
	} {
		if got := ansi.Strip(ofStage(c.st, 10)); got != c.want {
			t.Errorf("ofStage(%+v, 10) = %s, want %s", c.st, got, c.want)
		}
	}
}
