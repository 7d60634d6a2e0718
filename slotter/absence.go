package slotter

import (
	"cmp"
	"maps"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/room"
	"lull/subjects/spec"
)

// absence is on which hosts the command of a stage was not found, or the results could not be
// published. The stage's tasks wait for others, and
// once there is none the job has failed: further attempts would find as little.
type absence map[string][]absentOn // by job

// absentOn is one stage's command on one host.
type absentOn struct {
	Stage uint32 `msgpack:"stage"`
	Host  string `msgpack:"host"`
}

// absenceForm is what a snapshot keeps of one job.
type absenceForm struct {
	Job   string     `msgpack:"job"`
	Hosts []absentOn `msgpack:"hosts"` // by stage and name
}

// note records the host of an attempt that failed for want of its command. It records nothing if
// the job would survive the stage's failure and a service of the pool is too old to read such a
// failure: each task then uses up its retries.
func (a absence) note(s *ledger.State, j *ledger.Job, e *subjects.Failed) {
	if e.Reason != subjects.ReasonNotFound || !ends(j, int(e.Stage)) && !s.Reads(subjects.FormatStageFailed, "") {
		return
	}
	a.add(j, int(e.Stage), e.Host)
}

// add notes a host on which the tasks of a stage cannot run.
func (a absence) add(j *ledger.Job, stage int, host string) {
	on := absentOn{uint32(stage), host}
	if at, known := slices.BinarySearchFunc(a[j.ID], on, compareAbsent); !known {
		a[j.ID] = slices.Insert(a[j.ID], at, on)
	}
}

// ends reports whether the job has failed when no open task of the stage can be done.
func ends(j *ledger.Job, stage int) bool { return !survives(j, stage) && !bears(j, stage) }

// survives reports whether anything of the job runs on when no task of the stage can be done any
// more: the stage may fail, or others run because of a failure.
func survives(j *ledger.Job, stage int) bool {
	st := &j.Shape.Stages[stage]
	return st.AllowFailure || st.MaxFailures >= st.Tasks || slices.ContainsFunc(j.Shape.Stages, func(other spec.Stage) bool {
		return other.When != spec.WhenSuccess
	})
}

// bears reports whether the stage is done although none of its open tasks can be.
func bears(j *ledger.Job, stage int) bool {
	st := j.Stages[stage]
	return st.Len()-st.Done <= int(j.Shape.Stages[stage].MaxFailures)
}

func compareAbsent(a, b absentOn) int {
	return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Host, b.Host))
}

// joined forgets a host that has begun anew: the command may be there now.
func (a absence) joined(host string) {
	for job, hosts := range a {
		if hosts = slices.DeleteFunc(hosts, func(on absentOn) bool { return on.Host == host }); len(hosts) > 0 {
			a[job] = hosts
		} else {
			delete(a, job)
		}
	}
}

// of names the hosts without the command of a stage, sorted.
func (a absence) of(job string, stage int) (hosts []string) {
	for _, on := range a[job] {
		if int(on.Stage) == stage {
			hosts = append(hosts, on.Host)
		}
	}
	return hosts
}

// stopped returns a stage with waiting tasks and a command that is on none of the hosts that could
// run it, with those hosts.
func (a absence) stopped(s *ledger.State, j *ledger.Job) (stage int, hosts []string, found bool) {
	for _, on := range a[j.ID] {
		stage = int(on.Stage)
		if j.Stages[stage].Waiting() == 0 {
			continue
		}
		if hosts = a.nowhere(s, j, stage); hosts != nil {
			return stage, hosts, true
		}
	}
	return 0, nil, false
}

// nowhere returns the hosts without the command of a stage if no other host could run it, else nil.
func (a absence) nowhere(s *ledger.State, j *ledger.Job, stage int) []string {
	hosts := a.of(j.ID, stage)
	if slices.ContainsFunc(s.Hosts(), func(h *ledger.Host) bool {
		return h.Open() && mayRun(s, j, stage, h) && !slices.Contains(hosts, h.Name)
	}) {
		return nil
	}
	return hosts
}

func couldRun(h *ledger.Host, st *spec.Stage) bool {
	return int(st.CPU) <= room.Widest(&h.Joined) && st.Memory <= h.Joined.Memory && h.Matches(st.Where)
}

func (a absence) save() (forms []absenceForm) {
	for _, job := range slices.Sorted(maps.Keys(a)) {
		forms = append(forms, absenceForm{job, a[job]})
	}
	return forms
}

func (a absence) load(forms []absenceForm) {
	for _, f := range forms {
		a[f.Job] = f.Hosts
	}
}
