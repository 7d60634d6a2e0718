package spec

import "strings"

// linksCheck returns a check that the stages that stage i waits for exist and are named once.
func (j Job) linksCheck(i int) func(at string) error {
	s := j.Stages[i]
	return func(at string) error {
		seen := map[uint32]bool{}
		for k, f := range s.From {
			if int64(f.Stage) >= int64(len(j.Stages)) || seen[f.Stage] {
				return faultf(index(at+".from", k), "name an existing stage, and each only once")
			}
			seen[f.Stage] = true
			if f.Partition && f.Element {
				return faultf(index(at+".from", k), "a stage is read by partition or by task, not both: keep one")
			}
			if (f.Partition || f.Element) && s.Publish {
				return faultf(index(at+".from", k), "the publishing stage reads whole outputs: leave by out")
			}
		}
		for k, a := range s.After {
			if int64(a) >= int64(len(j.Stages)) || k >= MaxStages {
				return faultf(index(at+".after", k), "name an existing stage, and each only once")
			}
		}
		return nil
	}
}

// checkPublishing checks the stage that lull adds.
func (j Job) checkPublishing(at string, i int) error {
	s := j.Stages[i]
	if i != len(j.Stages)-1 || j.Output == "" || s.Tasks != 1 || len(s.Argv) > 0 || s.List != "" || len(s.Splits) > 0 || len(s.From) == 0 {
		return faultf(at, "a publishing stage is the last of a job with an output, and has one task that reads other stages and no command")
	}
	return nil
}

// checkPartitions checks that all stages that read a stage by partition have the same
// number of tasks: its outputs are cut only once.
func (j Job) checkPartitions() error {
	want := make([]uint32, len(j.Stages))
	for i, s := range j.Stages {
		for k, f := range s.From {
			if !f.Partition {
				continue
			}
			if n := want[f.Stage]; n != 0 && n != s.Tasks {
				return faultf(index(index("stages", i)+".from", k),
					"stage %q is read by partition with %d and with %d tasks: give its readers the same number of tasks", j.Stages[f.Stage].Name, n, s.Tasks)
			}
			want[f.Stage] = s.Tasks
		}
	}
	for i, s := range j.Stages {
		if s.Partitions != want[i] {
			return faultf(index("stages", i)+".partitions", "the stage writes %d partitions and its readers read %d: both must be the same", s.Partitions, want[i])
		}
	}
	return nil
}

// checkAcyclic looks for stages that wait for each other.
func (j Job) checkAcyclic() error {
	const walking, done = 1, 2
	state := make([]byte, len(j.Stages))
	var trail []int
	var walk func(i int) error
	walk = func(i int) error {
		switch state[i] {
		case done:
			return nil
		case walking:
			return j.cycleFault(append(trail, i))
		}
		state[i], trail = walking, append(trail, i)
		for next := range j.Stages[i].Predecessors() {
			if err := walk(next); err != nil {
				return err
			}
		}
		state[i], trail = done, trail[:len(trail)-1]
		return nil
	}
	for i := range j.Stages {
		if err := walk(i); err != nil {
			return err
		}
	}
	return nil
}

// cycleFault names the stages of a walk that came back to where it was, and points
// at the first of them.
func (j Job) cycleFault(trail []int) error {
	last := trail[len(trail)-1]
	for trail[0] != last {
		trail = trail[1:]
	}
	names := make([]string, len(trail))
	for k, i := range trail {
		names[k] = j.Stages[i].Name
	}
	at := index("stages", last)
	if len(j.Stages[last].From) > 0 {
		at += ".from"
	} else {
		at += ".after"
	}
	return faultf(at, "the stages wait for each other in a circle (%s): one of them must not wait", strings.Join(names, " → "))
}
