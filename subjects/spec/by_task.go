package spec

// matchTasks gives each stage that reads another by task, and has no tasks of its own, as many
// as that one has. While those are not known, because files are yet to be found, a number that
// the document gives is taken for theirs.
func (d *Doc) matchTasks(j *Job) {
	for range d.Stages { // a chain of stages may stand in any order
		settled := true
		for i := range d.Stages {
			for _, f := range j.Stages[i].From {
				if f.Element && d.matchPair(j, i, int(f.Stage)) {
					settled = false
				}
			}
		}
		if settled {
			return
		}
	}
}

// matchPair reports whether it changed a number of tasks.
func (d *Doc) matchPair(j *Job, reader, writer int) bool {
	r, w := &j.Stages[reader], &j.Stages[writer]
	switch {
	case r.Tasks == w.Tasks:
	case d.Stages[reader].Tasks == 0:
		r.Tasks = w.Tasks
		return true
	case d.Stages[writer].dependsOnFiles():
		w.Tasks, w.Splits = r.Tasks, nil
		return true
	}
	return false
}

// dependsOnFiles reports whether the number of tasks depends on files that were not looked for yet.
func (s *DocStage) dependsOnFiles() bool {
	return s.Inputs != nil || s.Each != nil && s.Each.File != ""
}

// checkByTask checks that a stage that reads another by task has as many tasks.
func (j Job) checkByTask() error {
	for i := range j.Stages {
		for k, f := range j.Stages[i].From {
			if r, w := &j.Stages[i], &j.Stages[f.Stage]; f.Element && r.Tasks != w.Tasks {
				return faultf(index(index("stages", i)+".from", k),
					"stage %q has %d tasks and is read by task with %d: give both the same number, or leave tasks out here", w.Name, w.Tasks, r.Tasks)
			}
		}
	}
	return nil
}

// PerTask reports whether tasks of a stage get what is meant for each of them alone, by task
// or by variables. Hosts of before Format 2 pass over that.
func (j *Job) PerTask() bool {
	for i := range j.Stages {
		if len(j.Stages[i].Vars) > 0 {
			return true
		}
		for _, f := range j.Stages[i].From {
			if f.Element {
				return true
			}
		}
	}
	return false
}
