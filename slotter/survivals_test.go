package slotter

import (
	"bytes"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
)

// twoWeeks is the profile of a tenant that used a tenth of its hosts, but for a share of them in the
// slots of half an hour that are named, each night.
func twoWeeks(until time.Time, share float64, slots ...int) profile.Profile {
	const perDay, days = 48, 14
	p := profile.Profile{
		Pattern: profile.Periodic, Confidence: 1, Average: 0.1, Peak: 0.9, Observed: 1, PerDay: perDay,
		From: until.AddDate(0, 0, -days).Unix(), Until: until.Unix(),
		Maxima: bytes.Repeat([]byte{profile.Pack(0.1)}, perDay*days),
		Means:  bytes.Repeat([]byte{0x44}, perDay*days/2), // 14 × √0.1
		Hours:  bytes.Repeat([]byte{profile.Pack(0.1)}, 24),
	}
	for day := range days {
		for _, slot := range slots {
			p.Maxima[day*perDay+slot] = profile.Pack(share)
		}
	}
	return p
}

// twoTenants is a pool at 22:13 with two hosts that leave as much idle now. The first one's tenant
// works from two to three at night.
func twoTenants(t *testing.T, cfg Config) *pool {
	p := newPool(t, cfg)
	midnight := p.now.Truncate(24 * time.Hour)
	for _, host := range []string{"a-nightly", "b-calm"} {
		p.join(host, 4, 1<<30, 3.6)
	}
	p.pass(1)
	p.say(
		&subjects.Classified{Tenant: "host:a-nightly", Generation: 1, Class: "periodic-1", Profile: twoWeeks(midnight, 0.9, 4, 5)},
		&subjects.Classified{Tenant: "host:b-calm", Generation: 1, Class: "periodic-1", Profile: twoWeeks(midnight, 0.1)},
		&subjects.PoolClassified{Generation: 1, Changed: 2, Tenants: 2, Named: 1, Classes: []subjects.TenantClass{{Name: "periodic-1", Pattern: profile.Periodic, Members: 2, Center: "host:b-calm"}}},
	)
	return p
}

// A task goes to the host whose tenant leaves it its core for as long as it runs: one that ends
// before the first host's nightly work, to either; a longer one, to the other.
func TestTasksGoWhereTheyAreLikelyToStay(t *testing.T) {
	for _, policy := range []string{PolicyHarvest, PolicyFIFO, PolicyMPPlus} {
		for _, c := range []struct {
			steer string
			runs  time.Duration
			want  string
		}{
			{SteerProfile, time.Minute, "a-nightly"}, {SteerProfile, 5 * time.Hour, "b-calm"}, {SteerOff, 5 * time.Hour, "a-nightly"},
		} {
			if policy == PolicyHarvest && c.steer == SteerOff {
				continue // the host is drawn
			}
			p := twoTenants(t, Config{Policy: policy, Steer: c.steer})
			stage := tasks("only", 1)
			stage.Estimate = c.runs
			p.submit("j", 0, stage)
			for _, e := range p.settle() {
				e, ok := e.(*subjects.Assigned)
				if !ok {
					continue
				}
				if e.Host != c.want {
					t.Errorf("%s, steered by %s: a task of %v runs on %s, want %s", policy, c.steer, c.runs, e.Host, c.want)
				}
				if said := e.Why.Stays; (said > 0.9) != (c.steer == SteerProfile) {
					t.Errorf("%s, steered by %s: a task of %v stays on %s with probability %v, want it above 0.9: %v", policy, c.steer, c.runs, e.Host, said, c.steer == SteerProfile)
				}
			}
			if got := p.hostsOfJ(); len(got) != 1 {
				t.Errorf("%s, steered by %s: hosts of a task of %v = %v, want one", policy, c.steer, c.runs, got)
			}
		}
	}
}

// What is known of a host's tenant chooses among hosts. A host of which nothing is known is no worse.
func TestWithoutProfilesThePresentDecides(t *testing.T) {
	for _, steer := range []string{SteerOff, SteerProfile} {
		p := newPool(t, Config{Steer: steer})
		p.join("busy", 4, 1<<30, 0.5)
		p.join("idle", 4, 1<<30, 4)
		p.pass(1)
		p.submit("j", 0, tasks("only", 1))
		p.settle()
		if got := p.hostsOfJ(); len(got) != 1 || got[0] != "idle" {
			t.Errorf("steered by %s: hosts of the task = %v, want [idle]", steer, got)
		}
	}
}
