package ledger

import (
	"math"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// Of tasks with a predicted survival the ledger keeps, by tenant, how many the primary ended, also in
// a snapshot. Other ends say nothing, and hosts without a core reserve end none for their primary.
func TestStaysOfTenants(t *testing.T) {
	s := New()
	apply := func(e subjects.Event) uint64 {
		t.Helper()
		if v := s.Apply(s.Seq+1, time.Unix(int64(s.Seq)+1, 0), e); v.Outcome == Void {
			t.Fatalf("Apply(%+v) is void: %s, want it accepted", e, v.Why)
		}
		return s.Seq
	}
	terms := map[string]uint64{}
	for host, reserve := range map[string]uint32{"kept": 1, "plain": 0} {
		terms[host] = apply(&subjects.Joined{Host: host, Cores: 9, Slots: 8, Memory: 1 << 40, ReserveCPU: reserve, Tenant: "web"})
	}
	apply(&subjects.Classified{Tenant: "web", Generation: 1, Class: "c"})
	apply(&subjects.PoolClassified{Generation: 1, Changed: 1, Named: 1, Classes: []subjects.TenantClass{{Name: "c", Members: 1}}})
	apply(&subjects.Submitted{Job: "j", Spec: spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{{Name: "a", Argv: []string{"true"}, Tasks: 20, CPU: 1, Memory: 1, Retries: 3}}}})
	apply(&subjects.Admitted{Job: "j"})
	task := uint32(0)
	end := func(host string, stays float64, how func(subjects.Fact) subjects.Event) {
		t.Helper()
		id := subjects.TaskID{Stage: 0, Task: task}
		task++
		at := apply(&subjects.Assigned{Job: "j", Host: host, TaskID: id, Try: 1, Term: terms[host], Width: 1, Why: subjects.Why{Stays: stays}})
		apply(how(subjects.Fact{TaskID: id, Attempt: at, Term: terms[host]}))
	}
	finish := func(host string) func(subjects.Fact) subjects.Event {
		return func(f subjects.Fact) subjects.Event { return &subjects.Finished{Host: host, Job: "j", Fact: f} }
	}
	evict := func(reason string) func(subjects.Fact) subjects.Event {
		return func(f subjects.Fact) subjects.Event {
			return &subjects.Evicted{Host: "kept", Job: "j", Fact: f, Reason: reason}
		}
	}
	end("kept", 0.9, finish("kept"))
	end("kept", 0.8, finish("kept"))
	end("kept", 0.7, evict(subjects.ReasonReserve))
	end("kept", 0.5, evict(subjects.ReasonPreempted))
	end("kept", 0, finish("kept")) // nothing was predicted
	end("plain", 0.5, finish("plain"))
	for range 2 {
		got := s.Tenants.Stays("web")
		if got == nil || got.Tasks != 3 || got.Seen != 2 || math.Abs(got.Predicted-2.4) > 1e-9 {
			t.Errorf("Stays(web) = %+v, want 3 tasks, 2.4 of which were to stay, and 2 that did", got)
		}
		s = again(t, s)
	}
	apply(&subjects.Classified{Tenant: "web", Generation: 2, Gone: true})
	apply(&subjects.PoolClassified{Generation: 2, Changed: 1})
	if s.Tenants.Stays("web") != nil {
		t.Errorf("Stays(web) = %+v after the tenant left, want nil", s.Tenants.Stays("web"))
	}
}
