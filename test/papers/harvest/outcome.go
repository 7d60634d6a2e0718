package harvest

import (
	"math"
	"slices"
	"time"

	"lull/sim"
)

// outcome is how jobs of a run fared, and what that cost the primaries.
type outcome struct {
	job      float64 // seconds from submission to end, on average; what is open at the end counts with its age
	open     float64 // jobs that are open at the end
	attempts float64
	nowhere  float64 // share of the jobs that were steered to no class, for want of headroom
	kills    float64
	lost     float64 // core-hours of ended attempts that did not count
	done     float64 // core-hours of those that did
	crowded  float64 // server-seconds a day in which primary and batch want more cores than there are
	wanted   float64 // core-seconds a day that they then want beyond what there is
	broken   float64 // server-seconds a day in which the reserve is broken
	restored float64 // seconds from that to a whole reserve, on average
	longest  float64 // the longest
	breaks   float64 // how often that was
	grounds  map[ground]exposure
}

// outcomeOf sums up a run. It computes crowding at each change of a server's load and batch work.
func outcomeOf(s *sim.Scenario, r *sim.Result, after time.Duration) (o outcome) {
	counted := 0.0
	for i := range r.Jobs {
		j := &r.Jobs[i]
		if j.Submitted < after {
			continue
		}
		end := j.Ended
		if end == 0 {
			end, o.open = r.End, o.open+1
		}
		o.job, counted = o.job+(end-j.Submitted).Seconds(), counted+1
	}
	o.job /= counted
	runs := map[string][]sim.RunResult{}
	for _, run := range r.Runs {
		o.attempts++
		switch run.Outcome {
		case "committed":
			o.done += run.CPU / 3600
		case "evicted":
			o.kills++
			o.lost += run.CPU / 3600
		default:
			o.lost += run.CPU / 3600
		}
		runs[run.Host] = append(runs[run.Host], run)
	}
	for _, run := range r.Open {
		runs[run.Host] = append(runs[run.Host], run)
	}
	for i := range s.Hosts {
		kept := float64(s.Hosts[i].Reserve)
		if kept == 0 {
			kept = reserve // that others would keep
		}
		o.crowd(&s.Hosts[i], kept, runs[s.Hosts[i].Name])
	}
	days := r.End.Hours() / 24
	o.restored /= max(o.breaks, 1)
	o.crowded, o.wanted, o.broken = o.crowded/days, o.wanted/days, o.broken/days
	return o
}

// crowd counts the times in which a server's tasks leave the primary less than it or the kept cores want.
func (o *outcome) crowd(h *sim.Host, kept float64, runs []sim.RunResult) {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	for _, r := range runs {
		changes = append(changes, change{r.Start, 1}, change{r.End, -1})
	}
	slices.SortFunc(changes, func(a, b change) int { return int(a.at - b.at) })
	busy, since := 0, time.Duration(-1) // since when the reserve is broken, -1 if it is whole
	whole := func(at time.Duration) {
		if since >= 0 && at > since {
			o.breaks, o.restored, o.longest = o.breaks+1, o.restored+(at-since).Seconds(), max(o.longest, (at-since).Seconds())
		}
		since = -1
	}
	for i, c := range changes {
		if busy += c.by; busy == 0 || i+1 == len(changes) {
			whole(c.at)
			continue
		}
		for at, until := c.at, changes[i+1].at; at < until; {
			primary, next := h.Load.At(at)
			next = min(next, until)
			over, seconds := primary+float64(busy)-float64(h.Cores), (next - at).Seconds()
			if over > 1e-9 {
				o.crowded, o.wanted = o.crowded+seconds, o.wanted+over*seconds
			}
			if math.Ceil(primary-1e-6)+float64(busy)+kept > float64(h.Cores) {
				if o.broken += seconds; since < 0 {
					since = at
				}
			} else {
				whole(at)
			}
			at = next
		}
	}
}
