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

// absence is on which hosts the command of a stage was not found. Its tasks wait for others, and
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

// note takes in a failed attempt. In a job where stages may fail, each task uses up its retries,
// because its stage then has failed and not the job.
func (a absence) note(j *ledger.Job, e *subjects.Failed) {
	if e.Reason != subjects.ReasonNotFound || j.Shape.Conditional() {
		return
	}
	on := absentOn{e.Stage, e.Host}
	if at, known := slices.BinarySearchFunc(a[j.ID], on, compareAbsent); !known {
		a[j.ID] = slices.Insert(a[j.ID], at, on)
	}
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

// nowhere returns a stage whose command is on none of the hosts that could run it, with those.
func (a absence) nowhere(s *ledger.State, j *ledger.Job) (stage int, hosts []string, found bool) {
	for _, on := range a[j.ID] {
		stage = int(on.Stage)
		if hosts = a.of(j.ID, stage); !slices.ContainsFunc(s.Hosts(), func(h *ledger.Host) bool {
			return h.Open() && couldRun(h, &j.Shape.Stages[stage]) && !slices.Contains(hosts, h.Name)
		}) {
			return stage, hosts, true
		}
	}
	return 0, nil, false
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
