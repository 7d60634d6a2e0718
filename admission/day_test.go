package admission

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/profile"
)

// evening is a pool of one host of four cores at 20:00. Its tenant uses nearly all of them from 08:00 until 22:00,
// and nearly none at night; that leaves 1.7 cores on average. With known the classifier has said so.
func evening(t *testing.T, known bool, pattern profile.Pattern) *driver {
	p := newDriver(t, Config{})
	p.now = time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC)
	p.say(&subjects.Joined{Host: "a", Tenant: "shop", Cores: 4, Slots: 4, Memory: 8e9})
	if known {
		day := profile.Profile{Pattern: pattern, Confidence: 1, Average: 0.575, Peak: 0.95, Miss: make([]byte, len(profile.Spans))}
		for hour := range 24 {
			used := 0.05
			if hour >= 8 && hour < 22 {
				used = 0.95
			}
			day.Hours = append(day.Hours, profile.Pack(used))
			for range profile.Levels {
				day.Quantiles = append(day.Quantiles, profile.Pack(used))
			}
		}
		p.say(&subjects.Classified{Tenant: "shop", Generation: 1, Class: "one", Profile: day},
			&subjects.PoolClassified{Generation: 1, Changed: 1, Named: 1, Classes: []subjects.TenantClass{{Name: "one", Pattern: pattern, Members: 1}}})
	}
	for range 30 {
		p.now = p.now.Add(10 * time.Second)
		p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: "a", Cores: 4, Idle: 0.2, Usual: 1.7, Observed: 7 * 86400}})
	}
	return p
}

// submitHours submits a job of so many core-hours, in tasks of a length, due at 06:00.
func (p *driver) submitHours(hours float64, task time.Duration) subjects.Verdict {
	p.tb.Helper()
	until := time.Date(2026, 3, 3, 6, 0, 0, 0, time.UTC).Sub(p.now)
	inbox := p.submitted(fmt.Appendf(nil, "name: job\ndeadline: %v\nstages:\n- name: one\n  command: [\"true\"]\n  tasks: %d\n  estimate: %v\n", until, int(hours*float64(time.Hour)/float64(task)), task))
	p.settle()
	return p.replies[inbox]
}

// Ten hours of 1.7 cores are 17 core-hours, and the night has 30. A rehearsal plays the tasks of half an hour; those of
// ten seconds are too many, and count as work.
func TestAJobAtTheEveningPeakIsJudgedByTheNight(t *testing.T) {
	for _, task := range []time.Duration{30 * time.Minute, 10 * time.Second} {
		if v := evening(t, false, profile.Periodic).submitHours(22, task); v.Verdict != subjects.VerdictRejected {
			t.Errorf("22 core-hours, tasks of %v, judged by the mean = %+v, want rejected", task, v)
		}
		if v := evening(t, true, profile.Periodic).submitHours(22, task); v.Verdict != subjects.VerdictAdmitted {
			t.Errorf("22 core-hours, tasks of %v, judged by the night = %+v, want admitted", task, v)
		}
		if v := evening(t, true, profile.Periodic).submitHours(36, task); v.Verdict != subjects.VerdictRejected {
			t.Errorf("36 core-hours, tasks of %v, judged by the night = %+v, want rejected", task, v)
		}
	}
}

// The hours of an unpredictable tenant say nothing.
func TestWithoutAPatternTheMeanCounts(t *testing.T) {
	if v := evening(t, true, profile.Unpredictable).submitHours(22, 30*time.Minute); v.Verdict != subjects.VerdictRejected {
		t.Errorf("22 core-hours without a pattern = %+v, want rejected", v)
	}
}

// A dry run says whether it rests on days of tenants.
func TestADryRunNamesTheDaysItRestsOn(t *testing.T) {
	const doc = "name: long\ndeadline: 8h\nstages:\n- {name: one, command: [\"true\"], tasks: 40, estimate: 10m}\n"
	for known, want := range map[bool]int{true: 1, false: 0} {
		if f := evening(t, known, profile.Periodic).forecast(t, doc); f.Days != want {
			t.Errorf("Days = %d, want %d", f.Days, want)
		}
	}
}

// A snapshot has what was said of tenants, so another instance promises alike.
func TestTheDayOutlivesARestart(t *testing.T) {
	p := evening(t, true, profile.Periodic)
	next := p.restarted()
	next.say(&subjects.Led{Actor: Name, Partition: "all"})
	for range 30 {
		next.now = next.now.Add(10 * time.Second)
		next.a.Step(actors.Input{Now: next.now, Sample: &subjects.Usage{Host: "a", Cores: 4, Idle: 0.2, Usual: 1.7, Observed: 7 * 86400}})
	}
	if v := next.submitHours(22, 30*time.Minute); v.Verdict != subjects.VerdictAdmitted {
		t.Errorf("22 core-hours after a restart = %+v, want admitted", v)
	}
}
