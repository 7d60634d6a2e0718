package progress

import (
	"cmp"
	"fmt"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// phaseNote says why nothing happens, if so.
func phaseNote(d *subjects.JobDetail, phase ledger.Phase, now time.Time) string {
	pool := &d.Pool
	switch {
	case phase.Ended():
		return ""
	case phase == ledger.Submitted:
		return "waiting for the verdict of admission"
	case awaitNote(d, now) != "":
		return awaitNote(d, now)
	case phase == ledger.Trying:
		return tryingNote(d, now)
	case pool.Paused:
		return whyNoHost(d)
	case d.Running > 0 && pool.Frozen:
		return "every host that runs it is paused: lull resume HOST goes on, lull hosts shows which"
	case d.Running > 0:
		return ""
	}
	if why := whyNoHost(d); why != "" {
		return why
	}
	if d.Text != "" { // of a live job: what its results wait for
		return publishNote(d, now)
	}
	return queuedNote(d, now)
}

// publishNote says what a job's results wait for: their folder, and maybe a slot to try it again.
func publishNote(d *subjects.JobDetail, now time.Time) string {
	text := "its results are not published yet: " + d.Text
	if slots := whyNoSlot(&d.Pool, now); slots != "" {
		text += "; " + slots
	}
	return text
}

func by(w *subjects.Attribution) string {
	if w.By() == "" {
		return ""
	}
	return " by " + w.By()
}

// tryingNote describes what a job waits for when its first tasks are to decide its verdict.
func tryingNote(d *subjects.JobDetail, now time.Time) string {
	const why = ", because too little is known of how long they take"
	if d.Running > 0 {
		return "the verdict of admission waits for its first tasks" + why
	}
	text := "the verdict of admission waits for a free slot for its first tasks" + why
	if until := whyNoHost(d); until != "" {
		return until + "; " + text
	}
	if slots := whyNoSlot(&d.Pool, now); slots != "" {
		return slots + "; " + text
	}
	return text
}

// whyNoHost says why no host takes tasks, "" if some do.
func whyNoHost(d *subjects.JobDetail) string {
	switch {
	case d.Pool.Paused:
		return "the pool is paused" + by(d.Pool.PausedBy) + ": lull resume --all goes on"
	case d.Pool.Up == 0:
		return "no host is up: start one with lull agent"
	case d.Pool.Open == 0:
		return "every host is paused or draining: see lull hosts"
	}
	return ""
}

// busyShare is the share of the cores in use by primaries from which on these are named as the reason that tasks
// wait.
const busyShare = 0.6

// whyNoSlot describes what occupies the pool's slots, and when one is expected to be free. It is "" if slots
// are free, because then the job starts at once.
func whyNoSlot(p *subjects.JobPool, now time.Time) string {
	share := 0.0
	if p.CPU.Cores > 0 {
		share = p.CPU.Primary / float64(p.CPU.Cores)
	}
	full := p.Slots > 0 && p.Busy >= p.Slots
	var text string
	switch {
	case share >= busyShare && p.CPU.Hosts == 1:
		text = fmt.Sprintf("the machine is %.0f %% busy with its own work", 100*min(share, 1))
	case share >= busyShare:
		text = fmt.Sprintf("the machines are %.0f %% busy with their own work", 100*min(share, 1))
	case full:
		text = "all slots run other tasks"
	default:
		return ""
	}
	return text + "; " + nextSlot(p, now)
}

// nextSlot says when a slot will be free, as far as that is known.
func nextSlot(p *subjects.JobPool, now time.Time) string {
	switch next := humane.Unix(p.Next); {
	case next.After(now):
		return "next slot expected in about " + humane.Span(next.Sub(now))
	case p.Next != 0:
		return "next slot expected at any moment: its task has taken longer than predicted"
	case p.Busy > 0:
		return "when a slot is free is unknown, because nothing is known of how long its task takes"
	case p.CPU.Usual > 0:
		return fmt.Sprintf("a slot is free as soon as CPU is idle: on average %.1f of %s are", p.CPU.Usual, humane.Count(int(p.CPU.Cores), "core"))
	}
	return "a slot is free as soon as CPU is idle"
}

// queuedNote describes why an admitted job has no running task. Either its queue already runs as many jobs as
// it may, which are those submitted first, or no slot is free.
func queuedNote(d *subjects.JobDetail, now time.Time) string {
	most := d.Pool.AtOnce
	if most == 0 || d.Pool.Before < most {
		return whyNoSlot(&d.Pool, now)
	}
	queue := cmp.Or(d.Queue, spec.DefaultQueue)
	return fmt.Sprintf("queue %s runs %s at a time, and %d came before it: lull jobs --queue %s --state open lists them",
		queue, humane.Count(int(most), "job"), d.Pool.Before, queue)
}
