package progress

import (
	"flag"
	"os"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// running is a job half way through its first stage.
func running() View {
	return View{
		Job: "wordcount-abcdefghij", Phase: ledger.Admitted, Since: start, Now: start.Add(12 * time.Second),
		Finish: start.Add(32 * time.Second), Deadline: start.Add(10 * time.Minute),
		Stages: []Stage{{Name: "map", Tasks: 18, Done: 9, Held: 2, Evicted: 1}},
		Totals: subjects.Totals{Tasks: 23, Attempts: 12, Evicted: 1},
		Output: "/home/me/wordcount-out",
	}
}

func with(v View, change func(*View)) View {
	change(&v)
	return v
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name + ".golden"
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
		t.Errorf("%s:\ngot\n%s\nwant\n%s", name, got, want)
	}
}
