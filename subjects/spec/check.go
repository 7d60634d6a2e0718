package spec

import "strings"

// check finds what a document lacks or says twice.
func (d *Doc) check() error {
	if d.Name == "" {
		return faultf("", "the job has no name: add name: with lower-case letters, digits, '-' and '_'")
	}
	if len(d.Stages) == 0 {
		return faultf("stages", "the job has no stages: add at least one with a name, a command and tasks")
	}
	for i := range d.Stages {
		if err := d.Stages[i].check(index("stages", i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *DocStage) check(path string) error {
	switch {
	case s.Name == "":
		return faultf(path, "the stage has no name: add name: with lower-case letters, digits, '-' and '_'")
	case s.Name == PublishName:
		return faultf(path+".name", "%q is the name of the stage that lull adds for output: choose another name", PublishName)
	case len(s.Command) == 0:
		return faultf(path, "the stage has no command: add command: with a list of arguments or a line for the shell")
	case (s.Split > 0 || s.Group > 0) && s.Inputs == nil:
		return faultf(path, "split and group cut inputs, and the stage has none: remove them, or add inputs")
	case s.Record != "" && s.Split == 0:
		return faultf(path+".record", "record says where split cuts inputs, and there is no split: remove it, or add split")
	case s.Header > 0 && s.Inputs == nil:
		return faultf(path+".header", "header is of inputs, and the stage has none: remove it, or add inputs")
	case s.Split > 0 && s.Group > 0:
		return faultf(path+".group", "split and group both cut the inputs: keep one")
	}
	return s.checkTasks(path)
}

// checkTasks requires one way to make tasks at most, and no number of tasks that contradicts it.
func (s *DocStage) checkTasks(path string) error {
	ways := s.ways()
	switch {
	case len(ways) > 1:
		return faultf(path+"."+ways[1], "%s are different ways to make tasks: keep one of them", strings.Join(ways, " and "))
	case s.Tasks > 0 && (s.Inputs != nil || s.Each != nil || s.Matrix != nil):
		return faultf(path+".tasks", "%s says how many tasks there are: remove tasks", ways[0])
	case s.Each != nil && s.Each.File == "" && len(s.Each.Lines) == 0:
		return faultf(path+".each", "the list is empty: give at least one parameter")
	case s.List != "" && s.Tasks == 0:
		return faultf(path, "list needs tasks: say how many splits the objects hold")
	case s.Splits != nil && s.Tasks > 0 && int(s.Tasks) != len(s.Splits):
		return faultf(path+".tasks", "there are %d tasks and %d splits: give one split a task, or leave tasks out", s.Tasks, len(s.Splits))
	}
	return s.checkFrom(path + ".from")
}

// checkFrom requires a stage of several tasks to say which of them reads what. By default each one
// would read everything, which is seldom meant.
func (s *DocStage) checkFrom(path string) error {
	for i, f := range s.From {
		switch {
		case f.By == ByPartition && s.Tasks == 0:
			return faultf(index(path, i), "reading by partition needs tasks: the number of partitions")
		case f.By == "" && s.Tasks > 1:
			return faultf(index(path, i), "the stage has %d tasks, and does not say what each of them reads of %q: write "+
				"{stage: %s, by: partition} if task p reads the files part-<p>, by: task if task i reads what task i wrote, "+
				"or by: all if each reads everything", s.Tasks, f.Stage, f.Stage)
		}
	}
	return nil
}

// ways lists the keys of the document that make the stage's tasks.
func (s *DocStage) ways() []string {
	var ways []string
	for _, w := range []struct {
		name  string
		given bool
	}{
		{"inputs", s.Inputs != nil}, {"each", s.Each != nil}, {"matrix", s.Matrix != nil}, {"from", s.From != nil},
		{"list", s.List != ""}, {"splits", s.Splits != nil},
	} {
		if w.given {
			ways = append(ways, w.name)
		}
	}
	return ways
}
