// Package absence knows the hosts on which a stage cannot run, because its command was not found or
// the results could not be published.
package absence

import (
	"cmp"
	"maps"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/room"
	"lull/subjects/spec"
)

// Record is on which hosts the command of a stage was not found, or the results could not be
// published. The stage's tasks wait for others, and
// once there is none the job has failed: further attempts would find as little.
type Record map[string][]absentOn // by job

// absentOn is one stage's command on one host.
type absentOn struct {
	Stage uint32 `msgpack:"stage"`
	Host  string `msgpack:"host"`
}

// Form is what a snapshot keeps of one job.
type Form struct {
	Job   string     `msgpack:"job"`
	Hosts []absentOn `msgpack:"hosts"` // by stage and name
}

// Note records the host of an attempt that failed for want of its command. It records nothing if
// the job would survive the stage's failure and a service of the pool is too old to read such a
// failure: each task then uses up its retries.
func (a Record) Note(s *ledger.State, j *ledger.Job, e *subjects.Failed) {
	if e.Reason != subjects.ReasonNotFound || !FailsWithout(j, int(e.Stage)) && !s.Reads(subjects.FormatStageFailed, "") {
		return
	}
	a.Add(j, int(e.Stage), e.Host)
}

// Add notes a host on which the tasks of a stage cannot run.
func (a Record) Add(j *ledger.Job, stage int, host string) {
	on := absentOn{uint32(stage), host}
	if at, known := slices.BinarySearchFunc(a[j.ID], on, compareAbsent); !known {
		a[j.ID] = slices.Insert(a[j.ID], at, on)
	}
}

// FailsWithout reports whether the job has failed when no open task of the stage can be done.
func FailsWithout(j *ledger.Job, stage int) bool {
	return !continuesWithout(j, stage) && !toleratesFailures(j, stage)
}

// continuesWithout reports whether anything of the job runs on when no task of the stage can be done any
// more: the stage may fail, or others run because of a failure.
func continuesWithout(j *ledger.Job, stage int) bool {
	st := &j.Shape.Stages[stage]
	return st.AllowFailure || st.MaxFailures >= st.Tasks || slices.ContainsFunc(j.Shape.Stages, func(other spec.Stage) bool {
		return other.When != spec.WhenSuccess
	})
}

// toleratesFailures reports whether the stage is done although none of its open tasks can be.
func toleratesFailures(j *ledger.Job, stage int) bool {
	st := j.Stages[stage]
	return st.Len()-st.Done <= int(j.Shape.Stages[stage].MaxFailures)
}

func compareAbsent(a, b absentOn) int {
	return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Host, b.Host))
}

// ForgetHost forgets a host that has begun anew: the command may be there now.
func (a Record) ForgetHost(host string) {
	for job, hosts := range a {
		if hosts = slices.DeleteFunc(hosts, func(on absentOn) bool { return on.Host == host }); len(hosts) > 0 {
			a[job] = hosts
		} else {
			delete(a, job)
		}
	}
}

// Of names the hosts without the command of a stage, sorted.
func (a Record) Of(job string, stage int) (hosts []string) {
	for _, on := range a[job] {
		if int(on.Stage) == stage {
			hosts = append(hosts, on.Host)
		}
	}
	return hosts
}

// BlockedStage returns a stage with waiting tasks and a command that is on none of the hosts that could
// run it, with those hosts.
func (a Record) BlockedStage(s *ledger.State, j *ledger.Job) (stage int, hosts []string, found bool) {
	for _, on := range a[j.ID] {
		stage = int(on.Stage)
		if j.Stages[stage].Waiting() == 0 {
			continue
		}
		if hosts = a.AbsentEverywhere(s, j, stage); hosts != nil {
			return stage, hosts, true
		}
	}
	return 0, nil, false
}

// AbsentEverywhere returns the hosts without the command of a stage if no other host could run it, else nil.
func (a Record) AbsentEverywhere(s *ledger.State, j *ledger.Job, stage int) []string {
	hosts := a.Of(j.ID, stage)
	if slices.ContainsFunc(s.Hosts(), func(h *ledger.Host) bool {
		return h.Open() && MayRun(s, j, stage, h) && !slices.Contains(hosts, h.Name)
	}) {
		return nil
	}
	return hosts
}

func couldRun(h *ledger.Host, st *spec.Stage) bool {
	return int(st.CPU) <= room.Widest(&h.Joined) && st.Memory <= h.Joined.Memory && h.Matches(st.Where)
}

// Save returns what a snapshot keeps, by job.
func (a Record) Save() (forms []Form) {
	for _, job := range slices.Sorted(maps.Keys(a)) {
		forms = append(forms, Form{job, a[job]})
	}
	return forms
}

// Load takes over what a snapshot kept.
func (a Record) Load(forms []Form) {
	for _, f := range forms {
		a[f.Job] = f.Hosts
	}
}

// MayRun reports whether tasks of the stage may go to the host if it has what they need. Tasks that
// publish go to the host where the job came from, while it is present.
func MayRun(s *ledger.State, j *ledger.Job, stage int, h *ledger.Host) bool {
	st := &j.Shape.Stages[stage]
	if st.Publish && j.Shape.Origin != "" {
		origin := []string{"host=" + j.Shape.Origin}
		if !h.Matches(origin) && slices.ContainsFunc(s.Hosts(), func(o *ledger.Host) bool { return o.Open() && o.Matches(origin) }) {
			return false
		}
	}
	return couldRun(h, st)
}
