package spec

import "testing"

func TestAStageReadByTaskGivesItsNumberOfTasks(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		want []uint32
	}{
		"number": {`{name: a, command: x, tasks: 3}, {name: b, command: x, from: {stage: a, by: task}}`, []uint32{3, 3}},
		"each":   {`{name: a, command: x, each: [p, q]}, {name: b, command: x, from: {stage: a, by: task}}`, []uint32{2, 2}},
		"chain, backwards": {`{name: c, command: x, from: {stage: b, by: task}}, {name: b, command: x, from: {stage: a, by: task}},
			{name: a, command: x, tasks: 5}`, []uint32{5, 5, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Parse([]byte("{name: j, stages: [" + c.doc + "]}"))
			if err != nil {
				t.Fatal(err)
			}
			j, err := d.Job()
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				if got := j.Stages[i].Tasks; got != want {
					t.Errorf("stage %d has %d tasks, want %d", i, got, want)
				}
			}
			if !j.PerTask() {
				t.Error("PerTask() = false of a job that reads by task, want true")
			}
		})
	}
}

// How many tasks a stage of files has is known only once the files are found.
func TestFilesFoundLaterMustMatchTheTasksThatReadThem(t *testing.T) {
	d, err := Parse([]byte(`{name: j, stages: [{name: a, command: x, inputs: "*"}, {name: b, command: x, tasks: 2, from: {stage: a, by: task}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for tasks, ok := range map[int]bool{2: true, 3: false} {
		d.FillSplits(0, make([]Split, tasks))
		if _, err := d.Job(); (err == nil) != ok {
			t.Errorf("Job() with %d files by task = %v, want no error: %v", tasks, err, ok)
		}
	}
}
