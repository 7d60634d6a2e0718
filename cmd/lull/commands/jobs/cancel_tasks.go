package jobs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lull/subjects"
	"lull/subjects/spec"
)

// some are tasks of a job that a command names.
type some struct {
	tasks []string // STAGE/RANGE
	where []string // NAME=VALUE of a matrix
}

func (s *some) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.tasks, "task", nil, "only these tasks: STAGE/RANGE, such as sweep/3-7,9; may be repeated")
	cmd.Flags().StringArrayVar(&s.where, "where", nil, "only tasks with this value in their matrix: NAME=VALUE; if repeated, with all of them")
}

// named reports whether tasks are named.
func (s *some) named() bool { return len(s.tasks)+len(s.where) > 0 }

// of returns the tasks of a job that are named by their numbers, or by the values of their matrix. With both, they are
// those that both name. The error says which name fits nothing.
func (s *some) of(job *spec.Job) ([]subjects.StageTasks, error) {
	picked := make([][]bool, len(job.Stages)) // nil for none
	for _, text := range s.tasks {
		if err := pick(job, text, picked); err != nil {
			return nil, err
		}
	}
	if len(s.where) > 0 {
		if err := s.narrow(job, picked); err != nil {
			return nil, err
		}
	}
	var all []subjects.StageTasks
	for stage, tasks := range picked {
		if spans := spansOf(tasks); len(spans) > 0 {
			all = append(all, subjects.StageTasks{Stage: uint32(stage), Tasks: spans})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no task has both --task %s and --where %s", strings.Join(s.tasks, " "), strings.Join(s.where, " "))
	}
	return all, nil
}

// pick marks the tasks that STAGE/RANGE names.
func pick(job *spec.Job, text string, picked [][]bool) error {
	name, ranges, cut := strings.Cut(text, "/")
	if !cut || ranges == "" {
		return fmt.Errorf("--task %q: write STAGE/RANGE, such as sweep/3-7,9", text)
	}
	stage, err := namedStage(job, name)
	if err != nil {
		return fmt.Errorf("--task %q: %w", text, err)
	}
	n := job.Stages[stage].Tasks
	if picked[stage] == nil {
		picked[stage] = make([]bool, n)
	}
	for part := range strings.SplitSeq(ranges, ",") {
		first, last, several := strings.Cut(part, "-")
		if !several {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 32)
		to, err2 := strconv.ParseUint(last, 10, 32)
		if err != nil || err2 != nil || from > to {
			return fmt.Errorf("--task %q: %q is no range of tasks: write 9, or 3-7", text, part)
		}
		if to >= uint64(n) {
			return fmt.Errorf("--task %q: stage %s has tasks 0 to %d", text, name, n-1)
		}
		for task := from; task <= to; task++ {
			picked[stage][task] = true
		}
	}
	return nil
}

func namedStage(job *spec.Job, name string) (int, error) {
	var names []string
	for i := range job.Stages {
		if job.Stages[i].Publish {
			continue
		}
		if job.Stages[i].Name == name {
			return i, nil
		}
		names = append(names, job.Stages[i].Name)
	}
	return 0, fmt.Errorf("the job has no stage %q: it has %s", name, strings.Join(names, ", "))
}

// narrow leaves those of the tasks that have all values, of all tasks if none is picked.
func (s *some) narrow(job *spec.Job, picked [][]bool) error {
	found := false
	for i := range job.Stages {
		st := &job.Stages[i]
		if len(s.tasks) == 0 {
			picked[i] = slices.Repeat([]bool{true}, int(st.Tasks))
		}
		for task := range picked[i] {
			has := s.has(st, task)
			picked[i][task] = picked[i][task] && has
			found = found || has
		}
	}
	for _, pair := range s.where {
		if name, _, ok := strings.Cut(pair, "="); !ok || name == "" {
			return fmt.Errorf("--where %q: write NAME=VALUE", pair)
		}
	}
	if !found {
		return fmt.Errorf("no task has %s in its matrix%s", strings.Join(s.where, " and "), axes(job))
	}
	return nil
}

// has reports whether a task's matrix has all the values.
func (s *some) has(st *spec.Stage, task int) bool {
	if len(st.Vars) == 0 || task >= len(st.Splits) {
		return false
	}
	for _, pair := range s.where {
		name, value, _ := strings.Cut(pair, "=")
		at := slices.Index(st.Vars, name)
		if at < 0 || st.Splits[task].Vars[at] != value {
			return false
		}
	}
	return true
}

// axes names what the matrices of the job have, for an error.
func axes(job *spec.Job) string {
	for i := range job.Stages {
		if st := &job.Stages[i]; len(st.Vars) > 0 {
			return fmt.Sprintf(": stage %s has %s", st.Name, strings.Join(st.Vars, ", "))
		}
	}
	return ": no stage of the job has one"
}

// spansOf returns the runs of picked tasks.
func spansOf(picked []bool) (spans []subjects.Span) {
	for task, is := range picked {
		if is {
			spans = subjects.AppendTask(spans, uint32(task))
		}
	}
	return spans
}
