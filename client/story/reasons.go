package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lull/actors"
	"lull/client/progress"
	"lull/subjects"
	"lull/subjects/humane"
)

// rules explains, for each rule of the slotter, why it chose a task or a slot.
var rules = map[string]string{
	subjects.RuleFIFO:   "its job was the oldest with a waiting task (first come, first served)",
	subjects.RuleEDF:    "its job had the earliest deadline of those with a waiting task",
	subjects.RuleDanger: "its job would have ended too late without more slots; of all such jobs, its deadline came first (rule i)",
	subjects.RuleSuits:  "no job needed the slot for its deadline; of those that waited, what the primary leaves there slows this one least (rule ii)",

	subjects.RuleExplore: "its type has no model yet, so it tries slots with different shares of idle CPU",
	subjects.RuleBeyond:  "the job was placed on other hosts, and keeping to them would have made it wait too long",
	subjects.RuleRival:   "an earlier attempt was predicted to end later; the first to finish counts",
	subjects.RuleRisk:    "without this slot its job was predicted to end too late; of all such jobs, its deadline came first",
	subjects.RuleWait:    "its job had waited longest for a slot",
	subjects.RuleFit:     "no job needed the slot for its deadline; of those that waited, this one saves most time there, compared with an average slot",
}

// rule describes a rule in words. For an unknown one it returns the rule's name.
func rule(name string) string { return cmp.Or(rules[name], "rule "+name) }

// tally counts events with the same reason, and keeps the details of the last ones.
type tally struct {
	what string   // the reason
	n    int      // events
	last []string // details of the last events
}

// tallies has a tally for each reason, in the order in which reasons first occur.
type tallies []*tally

func (h *tallies) add(what, detail string) {
	at := slices.IndexFunc(*h, func(one *tally) bool { return one.what == what })
	if at < 0 {
		at = len(*h)
		*h = append(*h, &tally{what: what})
	}
	one := (*h)[at]
	one.n++
	if one.last = append(one.last, detail); len(one.last) > lastOf {
		one.last = one.last[1:]
	}
}

// assignments sums up why tasks were given to hosts.
func (t *teller) assignments(history []actors.Entry) {
	var why tallies
	for _, entry := range history {
		if e, ok := entry.Event.(*subjects.Assigned); ok {
			why.add(rule(e.Why.Rule), fmt.Sprintf("%s on %s: %s", t.task(e.TaskID), e.Host, t.basis(e.Why)))
		}
	}
	t.sayTallies("assigned", why)
}

// basis describes what an assignment was based on: in words, and with Full also in figures.
func (t *teller) basis(w subjects.Why) string {
	text := fmt.Sprintf("%.0f %% idle", 100*w.Residual)
	if w.Norm >= 1.05 {
		text += fmt.Sprintf(", so %s times slower", times(w.Norm))
	}
	if w.Expected > 0 {
		text += "; " + guessedOrPredicted(w) + " " + humane.Seconds(w.Expected)
	}
	if w.Stays > 0 {
		text += fmt.Sprintf("; stays that long with %.0f %% probability", 100*w.Stays)
	}
	if t.detail == Full {
		text += figures(w)
	}
	return text
}

// guessedOrPredicted says whether the expected time of an assignment was guessed or predicted.
func guessedOrPredicted(w subjects.Why) string {
	if w.Guessed {
		return "guessed"
	}
	return "predicted"
}

// times formats a factor with two significant digits: 1.2, 11.
func times(factor float64) string {
	if factor < 9.95 {
		return fmt.Sprintf("%.1f", factor)
	}
	return fmt.Sprintf("%.0f", factor)
}

// figures lists the quantities that the slotter computed for an assignment.
func figures(w subjects.Why) string {
	text := ""
	if w.Norm > 0 {
		text += fmt.Sprintf("; normalized time %.2f", w.Norm)
	}
	if w.Slack != 0 {
		text += "; slack " + signed(w.Slack)
	}
	if w.Risk > 0 {
		text += "; " + humane.Seconds(w.Risk) + " late with the slots it had"
	}
	if w.Gain > 0 {
		text += "; gains " + humane.Seconds(w.Gain)
	}
	return text
}

func signed(seconds float64) string {
	if seconds < 0 {
		return "−" + humane.Seconds(-seconds)
	}
	return humane.Seconds(seconds)
}

// evictions explains the reasons of evictions.
var evictions = map[string]string{
	subjects.ReasonReserve:  "the primary needed the resources",
	subjects.ReasonRevoked:  "revoked by the slotter",
	subjects.ReasonMemory:   "the host was short of memory",
	subjects.ReasonPaused:   "the host was paused, draining or stopping",
	subjects.ReasonDisk:     "the host's disk was full, or about to be",
	subjects.ReasonVanished: "its process was lost with its shim or its machine",

	subjects.ReasonPreempted: "another job needed its slot",
}

// Eviction says in words why an attempt was evicted. It returns an unknown reason as it is.
func Eviction(e *subjects.Evicted) string { return cmp.Or(evictions[e.Reason], e.Reason) }

// lost describes the work that an eviction cost, beginning with before; "" if it cost none.
func lost(e *subjects.Evicted, before string) string {
	switch {
	case e.Lost() <= 0:
		return ""
	case e.Kept > 0:
		return fmt.Sprintf("%s%s of CPU work lost, %s kept by its checkpoint", before, humane.Seconds(e.Lost()), humane.Seconds(e.Kept))
	}
	return fmt.Sprintf("%s%s of CPU work lost", before, humane.Seconds(e.Lost()))
}

// declines explains the reasons for which hosts did not start attempts.
var declines = map[string]string{
	subjects.ReasonSlot:      "the slot was busy",
	subjects.ReasonPaused:    "the host was paused, draining or stopping",
	subjects.ReasonDisk:      "the host's disk was full",
	subjects.ReasonTransport: "its input could not be fetched",

	subjects.ReasonUnwritable: "the host could not write to the job's output folder",
	subjects.ReasonNoRoom:     "there was no room for the job's results",
}

// declineOf returns why a host declined an attempt, and the detail for that attempt's line. If a folder
// is not writable, the text is the same for all attempts of a job, so it is part of why.
func declineOf(e *subjects.Declined) (why, detail string) {
	why, detail = cmp.Or(declines[e.Reason], e.Reason), reason(e.Text)
	if e.Reason == subjects.ReasonUnwritable {
		return why + detail, ""
	}
	return why, detail
}

// outputVanished explains the loss of an output that its host no longer has.
const outputVanished = "it disappeared from its host before all readers had it; the task runs again, and this counts as a failure"

// endings sums up attempts that did not finish.
func (t *teller) endings(history []actors.Entry) {
	var evicted, declined, failed, revoked, missing tallies
	sakes := preemptionsOf(history)
	for _, entry := range history {
		switch e := entry.Event.(type) {
		case *subjects.Evicted:
			evicted.add(cmp.Or(sakes[e.Attempt], Eviction(e)), fmt.Sprintf("%s on %s after %s%s%s", t.task(e.TaskID), e.Host, humane.Seconds(e.Seconds), lost(e, ", "), reason(e.Text)))
		case *subjects.Declined:
			why, detail := declineOf(e)
			declined.add(why, fmt.Sprintf("%s by %s%s", t.task(e.TaskID), e.Host, detail))
		case *subjects.Failed:
			failed.add(e.Words(), fmt.Sprintf("%s on %s%s", progress.Labelled(t.task(e.TaskID), t.labels.Of(e.TaskID)), e.Host, quoted(e.Tail)))
		case *subjects.OutputMissing:
			missing.add(outputVanished, fmt.Sprintf("%s from %s, folder %s", t.task(e.TaskID), e.Host, e.Folder))
		case *subjects.Revoked:
			if sakes[e.Attempt] != "" {
				continue // the attempt's Evicted event is told instead
			}
			revoked.add(orElse(e.Why, "its job no longer needed it"), "on "+e.Host)
		}
	}
	t.sayTallies("evicted", evicted)
	t.sayTallies("declined", declined)
	t.sayTallies("failed", failed)
	t.sayTallies("revoked", revoked)
	t.sayTallies("lost its output", missing)
}

// preemptionsOf explains, by attempt, the evictions that made room for another job.
func preemptionsOf(history []actors.Entry) map[uint64]string {
	words, sakes := map[uint64]string{}, map[uint64]string{}
	for _, entry := range history {
		switch e := entry.Event.(type) {
		case *subjects.Revoked:
			if e.For != "" {
				words[e.Attempt] = "preempted: " + orElse(e.Why, "for "+e.For)
			}
		case *subjects.Evicted:
			if e.Reason == subjects.ReasonPreempted && words[e.Attempt] != "" {
				sakes[e.Attempt] = words[e.Attempt] + "; this costs no retry"
			}
		}
	}
	return sakes
}

func (t *teller) sayTallies(verb string, all tallies) {
	for _, h := range all {
		t.sayf("%s %s: %s.", humane.Count(h.n, "attempt"), verb, h.what)
		if h.n > len(h.last) {
			t.sayf("    The last %d:", len(h.last))
		}
		for _, detail := range h.last {
			t.sayf("    %s", detail)
		}
	}
}

// quoted returns the last lines of a task's stderr, indented for the lines below an entry.
func quoted(tail string) string {
	if tail == "" {
		return ""
	}
	lines := strings.Split(strings.TrimRight(tail, "\n"), "\n")
	lines = lines[max(0, len(lines)-lastOf):]
	return "\n      | " + strings.Join(lines, "\n      | ")
}
