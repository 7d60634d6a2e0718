package forged

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/profile"
	"lull/subjects/spec"
)

// plausible fills an empty event so that a ledger is likely to accept it: arbitrary events get no further
// than the first check of what they name.
func (f *Forger) plausible(e subjects.Event) {
	v := reflect.ValueOf(e).Elem()
	f.name(v)
	f.setFact(v)
	switch e := e.(type) {
	case *subjects.Submitted:
		e.Job, e.Spec, e.Inbox = fmt.Sprint("forged-", f.rng.IntN(9)), f.spec(), f.pool.Inbox+1
	case *subjects.Joined:
		e.Cores, e.Slots, e.Ahead, e.Memory = 4, f.rng.Uint32N(7), f.rng.Uint32N(3), 1<<f.rng.IntN(40)
		e.Labels = []string{"rack=" + one(f, racks)}
	case *subjects.Assigned:
		f.assign(e)
	case *subjects.Placed:
		f.place(e)
	case *subjects.Wired:
		e.Racks = f.racks()
	case *subjects.Owned:
		e.Tenants = f.owners()
	case *subjects.Shared:
		e.Weight = 1
	case *subjects.Fitted:
		e.A, e.Low, e.High, e.Samples = 1, 0.1, 1, 9
	case *subjects.Identified:
		e.Model, e.B, e.Sample = f.model(), 1e6, 0.5
	case *subjects.Classified:
		e.Generation, e.Profile = f.pool.Tenants.Next(), day()
	case *subjects.PoolClassified:
		e.Generation = f.pool.Tenants.Next()
	case *subjects.OutputLost:
		e.Tasks = []uint32{0, f.rng.Uint32N(7)}
	case *subjects.Led:
		e.Instance, e.Format = "forged", subjects.Format
	}
}

// name fills the parts of an event's subject.
func (f *Forger) name(v reflect.Value) {
	for field, text := range map[string]string{
		"Host": f.host(), "Job": f.job(), "Type": f.model(), "Tenant": one(f, tenants),
		"Queue": one(f, queues), "Actor": one(f, actors), "Partition": subjects.WholePool,
	} {
		if at := v.FieldByName(field); at.IsValid() {
			at.SetString(text)
		}
	}
}

// setFact makes an event about an attempt that the pool has, in its host's term.
func (f *Forger) setFact(v reflect.Value) {
	set := func(field string, n uint64) {
		if at := v.FieldByName(field); at.IsValid() && at.CanUint() {
			at.SetUint(n)
		}
	}
	if at := f.attempt(); at != nil && v.FieldByName("Attempt").IsValid() && f.chance(85) {
		v.FieldByName("Host").SetString(at.Host.Name)
		v.FieldByName("Job").SetString(at.Job.ID)
		set("Attempt", at.ID)
		set("Stage", uint64(at.Task.Stage))
		set("Task", uint64(at.Task.Task))
	}
	if host := v.FieldByName("Host"); host.IsValid() {
		if h := f.pool.Host(host.String()); h != nil {
			set("Term", h.Term)
		}
	}
}

// assign is mostly of a task that waits, to slots that are free.
func (f *Forger) assign(e *subjects.Assigned) {
	e.Width = 1
	j, h := f.pool.Job(e.Job), f.pool.Host(e.Host)
	if j == nil || h == nil || len(j.Stages) == 0 {
		return
	}
	e.Doc, e.Stage = j.Seq, f.rng.Uint32N(uint32(len(j.Stages)))
	e.Task, e.Width = f.rng.Uint32N(uint32(j.Stages[e.Stage].Len())), j.Shape.Stages[e.Stage].CPU
	for e.Slot < h.Joined.Slots && !h.Free(e.Slot, e.Width, 0) {
		e.Slot++
	}
}

// place names some hosts of the pool.
func (f *Forger) place(e *subjects.Placed) {
	if e.Known = f.pool.Seq; f.chance(30) {
		e.Known = f.rng.Uint64N(f.pool.Seq + 3)
	}
	for _, h := range f.pool.Hosts() {
		if f.chance(50) {
			e.Hosts = append(e.Hosts, subjects.PlacedHost{Host: h.Name, Slots: h.Joined.Slots})
		}
	}
	slices.SortFunc(e.Hosts, func(a, b subjects.PlacedHost) int { return strings.Compare(a.Host, b.Host) })
	e.Seconds, e.Bound = 9, 3
	e.Links = []subjects.WiredLink{{Name: one(f, racks), Up: 1e6, Down: 1e6}}
}

// racks are those of a network.
func (f *Forger) racks() (all []subjects.WiredRack) {
	for _, name := range racks[:1+f.rng.IntN(len(racks))] {
		all = append(all, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: name, Up: 1e8, Down: 1e7}})
	}
	return all
}

// owners give some hosts a tenant.
func (f *Forger) owners() (all []subjects.OwnedHosts) {
	for _, h := range f.pool.Hosts() {
		if f.chance(30) {
			all = append(all, subjects.OwnedHosts{Tenant: one(f, tenants[:2]), Hosts: []string{h.Name}})
		}
	}
	return all
}

// spec is a job of up to three stages, some of which read the one before.
func (f *Forger) spec() spec.Job {
	job := spec.Job{Name: "job", Type: fmt.Sprint("type-", f.rng.IntN(5))}
	for i := range 1 + f.rng.IntN(3) {
		s := spec.Stage{Name: fmt.Sprint("stage-", i), Argv: []string{"true"}, Tasks: 1 + f.rng.Uint32N(6), CPU: 1 + f.rng.Uint32N(2), Memory: 1, Retries: 2}
		if i > 0 && f.chance(60) {
			s.From = []spec.From{{Stage: uint32(i - 1)}}
		}
		job.Stages = append(job.Stages, s)
	}
	return job
}

// day is what is known of a tenant.
func day() profile.Profile {
	p := profile.Profile{
		Pattern: profile.Periodic, Average: 0.3, Peak: 0.8, From: 1_700_000_000, Until: 1_700_086_400, PerDay: 24, Hours: make([]byte, 24),
		Quantiles: make([]byte, 24*len(profile.Levels)), Miss: make([]byte, len(profile.Spans)), Maxima: make([]byte, 24), Means: make([]byte, 12),
	}
	for i := range p.Hours {
		p.Hours[i], p.Maxima[i] = byte(5*i), byte(10*i)
	}
	return p
}
