package trace

import (
	"fmt"
	"strings"
	"testing"
)

// TestMistakes reads as prose: what is wrong, and the message to its author.
func TestMistakes(t *testing.T) {
	usage := func(text string) error { _, err := Hosts(strings.NewReader(text), "f.csv", HostOptions{}); return err }
	list := func(text string) error {
		_, err := Jobs(strings.NewReader(text), "f.csv", JobOptions{MaxCores: 8, MaxMemory: 1 << 30})
		return err
	}
	curves := func(text string) error { _, err := Curves(strings.NewReader(text), "f.json"); return err }
	const bad, ok = " Correct the file, or skip bad rows with --skip-bad", "submit_s,tasks,task_seconds\n"
	for _, c := range []struct {
		name string
		read func(string) error
		text string
		want string
	}{
		{"empty", usage, "", "f.csv: the file is empty: it needs a header line and a line for each row"},
		{"blank", list, "\n\n", "f.csv: the file is empty: it needs a header line and a line for each row"},
		{"only a header", usage, "series_id,0\n", "f.csv: no series is left: it needs a line for each host"},
		{"only a header", list, ok, "f.csv: no job is left: it needs a line for each job"},
		{"semicolons", usage, "series_id;0;300\n", `f.csv: line 1: the fields are separated by ";": write commas`},
		{"no id", usage, "host,0\n", "f.csv: line 1, column 1: no column is called series_id: write series_id,0,300,600 with the times of the samples in seconds, or series_id,t_seconds,cpu_pct"},
		{"a date", usage, "series_id,2024-01-01\n", `f.csv: line 1, column 11: "2024-01-01" is no time in seconds: write series_id, cores, memory_mb or the time of a sample (series_id,0,300,600 with the times of the samples in seconds)`},
		{"times fall", usage, "series_id,300,0\n", "f.csv: line 1, column 15: 0 comes after 300: times must rise"},
		{"twice", usage, "series_id,cores,cores,0\n", `f.csv: line 1, column 17: the column "cores" stands twice: keep one`},
		{"long with another column", usage, "series_id,t_seconds,cpu_pct,rack\n", `f.csv: line 1, column 29: the column "rack" is unknown: write series_id,t_seconds,cpu_pct, and cores and memory_mb if you like`},
		{"no number", usage, "series_id,0,300\na,1,x\n", `f.csv: line 2, column 5 (300): "x" is not a number: write one such as 12.5.` + bad},
		{"negative", usage, "series_id,0\na,-1\n", "f.csv: line 2, column 3 (0): -1 is out of bounds: write a number from 0 to 1000." + bad},
		{"NaN", usage, "series_id,0\na,NaN\n", `f.csv: line 2, column 3 (0): "NaN" is not a number: write one such as 12.5.` + bad},
		{"1e300", usage, "series_id,0\na,1e300\n", "f.csv: line 2, column 3 (0): 1e300 is out of bounds: write a number from 0 to 1000." + bad},
		{"a series twice", usage, "series_id,0\na,1\na,2\n", `f.csv: line 3, column 1 (series_id): series "a" stands in line 2 already: keep one.` + bad},
		{"mostly missing", usage, "series_id,0,1,2\na,1,,\n", `f.csv: line 2: series "a" lacks 67 % of its samples: at most 50 % may be missing (--max-missing).` + bad},
		{"no cores", usage, "series_id,cores,0\na,0.5,1\n", "f.csv: line 2, column 3 (cores): 0.5 is out of bounds: write a number from 1 to 4096." + bad},
		{"fields", usage, "series_id,0\na\n", "f.csv: line 2: 1 field, and the header has 2: give each row as many." + bad},
		{"quotes", usage, "series_id,0\n\"a,1\n", `f.csv: line 2: its quotes do not match: close each within the line, and write "" for one within.` + bad},
		{"too dense", usage, "series_id,0,0.0000001,1000000\na,1,1,1\n", "f.csv: line 1: samples 0.0000001 s apart over 1000000 s are too many: read a window (--from, --until)"},
		{"irregular", usage, "series_id,0,1,1000000\na,1,1,1\n", "f.csv: line 1: samples every 1 s from 0 s to 1000000 s would be 1000001, and the file has 3: times must be equally far apart"},
		{"unknown column", list, "submit_s,task,task_seconds\n", `f.csv: line 1, column 10: the column "task" is unknown: jobs have the columns ` + ownHeader + " (or are a SWIM trace: " + swimHeader + ")"},
		{"missing column", list, "submit_s,tasks\n", "f.csv: line 1: the column task_seconds is missing: jobs need submit_s, tasks and task_seconds, and may have name, type, deadline_s, memory_mb, cores, input_bytes, source, queue"},
		{"half a SWIM trace", list, "job_id,submit_s,shuffle_bytes\n", "f.csv: line 1: the column map_input_bytes is missing: a SWIM trace has " + swimHeader},
		{"no tasks", list, ok + "0,0,1\n", "f.csv: line 2, column 3 (tasks): 0 is out of bounds: write a number from 1 to 10000000." + bad},
		{"half a task", list, ok + "0,1.5,1\n", "f.csv: line 2, column 3 (tasks): 1.5 is not a whole number: write one such as 12." + bad},
		{"no time", list, ok + "0,1,\n", "f.csv: line 2, column 5 (task_seconds): it is empty: write a number." + bad},
		{"before 1970", list, ok + "-5,1,1\n", "f.csv: line 2, column 1 (submit_s): -5 is out of bounds: write a number from 0 to 6307200000." + bad},
		{"fits no host", list, "submit_s,tasks,task_seconds,cores,name\n0,1,1,9,big\n", `f.csv: line 2: job "big" fits no host: a task needs 9 cores, the largest host has 8.` + bad},
		{"fits no memory", list, "submit_s,tasks,task_seconds,memory_mb,name\n0,1,1,2048,big\n", `f.csv: line 2: job "big" fits no host: a task needs 2048 MiB, the largest host can give 1024.` + bad},
		{"two rows", list, ok + "x,1,1\ny,1,1\n", "f.csv: 2 bad rows." + bad + "\n  line 2, column 1 (submit_s): \"x\" is not a number: write one such as 12.5\n  line 3, column 1 (submit_s): \"y\" is not a number: write one such as 12.5"},
		{"no JSON", curves, "{}", `f.json: line 1: json: cannot unmarshal object into Go value of type []sim.Truth: write [{"type": "pi", "points": [{"residual": 1, "seconds": 20}]}]`},
		{"a falling curve", curves, `[{"type":"pi","points":[{"residual":1,"seconds":1},{"residual":0.5,"seconds":1}]}]`, "f.json: curve 1 (pi): residuals must rise, within (0, 1]: 0.5 does not"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.read(c.text); err == nil || err.Error() != c.want {
				t.Errorf("read(%q) = %v\nwant %s", c.text, err, c.want)
			}
		})
	}
}

func TestOnlyTheFirstBadRowsAreShown(t *testing.T) {
	var b strings.Builder
	b.WriteString("submit_s,tasks,task_seconds\n")
	for i := range 25 {
		fmt.Fprintf(&b, "bad%d,1,1\n", i)
	}
	_, err := Jobs(strings.NewReader(b.String()), "f.csv", JobOptions{})
	if err == nil || strings.Count(err.Error(), "\n") != 11 || !strings.HasSuffix(err.Error(), "and 15 more") || !strings.HasPrefix(err.Error(), "f.csv: 25 bad rows.") {
		t.Errorf("Jobs(25 bad rows) = %v, want the number, the first 10 and \"and 15 more\"", err)
	}
}

func TestNoOverlapNamesBothTimes(t *testing.T) {
	_, err := Jobs(strings.NewReader("submit_s,tasks,task_seconds\n5,1,1\n"), "f.csv", JobOptions{Begin: 1000e9})
	if want := "f.csv: its jobs come from 5 s to 5 s, and the window begins at 1000 s: both files must share a clock"; err == nil || err.Error() != want {
		t.Errorf("Jobs(a job at 5 s) from 1000 s on = %v, want %s", err, want)
	}
}
