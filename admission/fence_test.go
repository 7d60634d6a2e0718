package admission

import (
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
)

// classes has one host of 4 slots in the class constant-1 and three in periodic-1.
func classes(t *testing.T) *driver {
	p := newDriver(t, Config{})
	end := &subjects.PoolClassified{Generation: 1, Changed: 4, Named: 2}
	of := map[string]string{"a": "constant-1", "b": "periodic-1", "c": "periodic-1", "d": "periodic-1"}
	for _, host := range []string{"a", "b", "c", "d"} {
		p.join(host, 4)
		p.say(&subjects.Classified{Tenant: "host:" + host, Generation: 1, Class: of[host]})
	}
	end.Classes = []subjects.TenantClass{{Name: "constant-1", Pattern: profile.Constant, Members: 1}, {Name: "periodic-1", Pattern: profile.Periodic, Members: 3}}
	p.say(end)
	p.now = p.now.Add(2 * time.Second) // the next look
	for _, host := range []string{"a", "b", "c", "d"} {
		p.use(host, 4)
	}
	return p
}

// jobOf is the last job that was submitted.
func (p *driver) jobOf() string {
	var last string
	for j := range p.a.State().LiveJobs().All() {
		last = j.ID
	}
	return last
}

func (p *driver) steer(job string, classes ...string) {
	e := &subjects.Steered{Job: job, Length: "medium", Need: 4000}
	for _, class := range []string{"constant-1", "periodic-1"} {
		e.Classes = append(e.Classes, subjects.SteeredClass{Name: class, Headroom: 4000, Weight: 1, Picked: slices.Contains(classes, class)})
	}
	p.say(e)
}

// Twelve tasks of ten seconds take ten seconds on all hosts and thirty on those of the class that the job
// was steered to: the promise is then in danger.
func TestASteeredJobIsPredictedOnItsClasses(t *testing.T) {
	p := classes(t)
	if v := p.submit(12, "25s"); v.Verdict != subjects.VerdictAdmitted {
		t.Fatalf("submit(12, 25s) on all hosts = %+v, want admitted", v)
	}
	job := p.jobOf()
	p.steer(job, "constant-1")
	p.now = p.now.Add(6 * time.Second)
	for _, host := range []string{"a", "b", "c", "d"} {
		p.use(host, 4)
	}
	p.settle()
	if j := p.a.State().Job(job); !j.Endangered {
		t.Errorf("job of twelve tasks, fenced to four slots = %+v, want endangered", j)
	}
	p.steer(job, "constant-1", "periodic-1")
	p.now = p.now.Add(6 * time.Second)
	for _, host := range []string{"a", "b", "c", "d"} {
		p.use(host, 4)
	}
	p.settle()
	if l := p.a.pool.Load(p.a.State().Job(job)); l.Stages[0].Unit.Class.Slots.Usable() != 16 {
		t.Errorf("slots of the job, steered to both classes = %d, want 16", l.Stages[0].Unit.Class.Slots.Usable())
	}
}

// Once the slotter steers, a newcomer is promised what the smallest class that may be drawn for it
// holds.
func TestANewcomerMayBeSteeredToTheSmallestClass(t *testing.T) {
	for _, steers := range []bool{false, true} {
		p := classes(t)
		p.submit(4, "3m")
		if steers {
			p.steer(p.jobOf(), "constant-1")
		}
		p.submit(4, "2m")
		if steers {
			p.steer(p.jobOf(), "constant-1")
		}
		// Four more tasks on the class's four slots end after ten seconds, or behind others with
		// earlier deadlines.
		for range 6 {
			if v := p.submit(4, "1m"); v.Verdict != subjects.VerdictAdmitted && !steers {
				t.Errorf("submit(4, 1m) on 16 slots = %+v, want admitted", v)
			} else if v.Verdict != subjects.VerdictAdmitted {
				return
			}
			if steers {
				p.steer(p.jobOf(), "constant-1")
			}
		}
		if steers {
			t.Error("six jobs of ten seconds within a minute are admitted on a class that may be drawn for all of them, want one rejected")
		}
	}
}

// A job wider than the smallest class is not drawn there, and one wider than any runs everywhere.
func TestWhichClassIsAssumed(t *testing.T) {
	p := classes(t)
	p.submit(1, "")
	p.steer(p.jobOf(), "constant-1")
	for tasks, want := range map[int]int{1: 4, 4: 4, 5: 12, 12: 12, 13: 16} {
		p.submit(tasks, "")
		if got := p.a.pool.Load(p.a.State().Job(p.jobOf())).Stages[0].Unit.Class.Slots.Usable(); got != want {
			t.Errorf("a job of %d tasks counts on %d slots, want %d", tasks, got, want)
		}
	}
}
