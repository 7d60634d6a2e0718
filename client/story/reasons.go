package story

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lull/actors"
	"lull/client/humane"
	"lull/client/progress"
	"lull/subjects"
)

// rules say in words why the slotter chose as it did.
var rules = map[string]string{
	subjects.RuleFIFO:   "first come, first served: it was the oldest job with a task waiting",
	subjects.RuleEDF:    "earliest deadline first: no waiting job was due sooner",
	subjects.RuleDanger: "its job was about to miss its deadline, and due soonest of those (rule i)",
	subjects.RuleSuits:  "no deadline was in danger, and its job suffers least from what the primary left of the slot (rule ii)",

	subjects.RuleExplore: "its type has no model yet, and was not tried on such a slot before",
	subjects.RuleRival:   "an earlier attempt of it is predicted to end later; the first to finish counts",
	subjects.RuleRisk:    "its job was predicted to miss its deadline, and due soonest of those",
	subjects.RuleWait:    "its job had waited longest without being given a slot",
	subjects.RuleFit:     "no deadline was in danger, and it gains most from this slot over an average one",
}

// rule says in words what a rule means; an unknown one stands for itself.
func rule(name string) string { return cmp.Or(rules[name], "rule "+name) }

// heap is what many events have in common: how many, and the last ones.
type heap struct {
	what string
	n    int
	last []string
}

// heaps counts alike reasons, in order of their first.
type heaps []*heap

func (h *heaps) add(what, detail string) {
	at := slices.IndexFunc(*h, func(one *heap) bool { return one.what == what })
	if at < 0 {
		at = len(*h)
		*h = append(*h, &heap{what: what})
	}
	one := (*h)[at]
	one.n++
	if one.last = append(one.last, detail); len(one.last) > lastOf {
		one.last = one.last[1:]
	}
}

// assignments sums up why tasks were given to hosts.
func (t *teller) assignments(history []actors.Entry) {
	var why heaps
	for _, entry := range history {
		if e, ok := entry.Event.(*subjects.Assigned); ok {
			why.add(rule(e.Why.Rule), fmt.Sprintf("%s to %s: %s", t.task(e.TaskID), e.Host, weighed(e.Why)))
		}
	}
	t.tell("assigned", why)
}

// weighed is what an assignment was decided on.
func weighed(w subjects.Why) string {
	text := fmt.Sprintf("the primary left %.0f %% of the slot", 100*w.Residual)
	if w.Expected > 0 {
		text += ", about " + humane.Seconds(w.Expected) + " there"
	}
	if w.Norm > 0 {
		text += fmt.Sprintf(" (%.2f of its time on an idle core)", w.Norm)
	}
	if w.Slack != 0 {
		text += ", slack " + signed(w.Slack)
	}
	if w.Risk > 0 {
		text += ", late by " + humane.Seconds(w.Risk) + " with what it had"
	}
	if w.Gain > 0 {
		text += ", " + humane.Seconds(w.Gain) + " gained"
	}
	return text
}

func signed(seconds float64) string {
	if seconds < 0 {
		return "−" + humane.Seconds(-seconds)
	}
	return humane.Seconds(seconds)
}

// evictions say in words why an attempt was ended for another's sake.
var evictions = map[string]string{
	subjects.ReasonReserve:  "the primary needed the room",
	subjects.ReasonRevoked:  "the slotter took it back",
	subjects.ReasonMemory:   "the host was short of memory",
	subjects.ReasonPaused:   "the host was paused, draining or stopping",
	subjects.ReasonDisk:     "the host's disk was full, or about to be",
	subjects.ReasonVanished: "its process went with its shim or its machine",

	subjects.ReasonPreempted: "another job was to have its slot",
}

// declines say in words why a host did not start an attempt.
var declines = map[string]string{
	subjects.ReasonSlot:      "the slot was taken",
	subjects.ReasonPaused:    "the host was paused, draining or stopping",
	subjects.ReasonDisk:      "the host's disk was full",
	subjects.ReasonTransport: "its input could not be fetched",
}

// vanished explains the loss of an output that its host no longer has.
const vanished = "it vanished from its host before all had read it; the task runs again, and that counts as a failure of it"

// endings sums up attempts that did not finish.
func (t *teller) endings(history []actors.Entry) {
	var evicted, declined, failed, revoked, missing heaps
	sakes := sakesOf(history)
	for _, entry := range history {
		switch e := entry.Event.(type) {
		case *subjects.Evicted:
			evicted.add(cmp.Or(sakes[e.Attempt], evictions[e.Reason], e.Reason), fmt.Sprintf("%s on %s after %s%s", t.task(e.TaskID), e.Host, humane.Seconds(e.Seconds), reason(e.Text)))
		case *subjects.Declined:
			declined.add(cmp.Or(declines[e.Reason], e.Reason), fmt.Sprintf("%s by %s%s", t.task(e.TaskID), e.Host, reason(e.Text)))
		case *subjects.Failed:
			failed.add(progress.Reason(e), fmt.Sprintf("%s on %s%s", t.task(e.TaskID), e.Host, quoted(e.Tail)))
		case *subjects.OutputMissing:
			missing.add(vanished, fmt.Sprintf("%s from %s, folder %s", t.task(e.TaskID), e.Host, e.Folder))
		case *subjects.Revoked:
			if sakes[e.Attempt] != "" {
				continue // told with its end
			}
			revoked.add(or(e.Why, "its job no longer needed it"), "on "+e.Host)
		}
	}
	t.tell("evicted", evicted)
	t.tell("declined", declined)
	t.tell("failed", failed)
	t.tell("revoked", revoked)
	t.tell("lost its output", missing)
}

// sakesOf are, for attempts that ended to make way, the words with which they were
// taken back.
func sakesOf(history []actors.Entry) map[uint64]string {
	words, sakes := map[uint64]string{}, map[uint64]string{}
	for _, entry := range history {
		switch e := entry.Event.(type) {
		case *subjects.Revoked:
			if e.For != "" {
				words[e.Attempt] = "it made way: " + or(e.Why, "for "+e.For)
			}
		case *subjects.Evicted:
			if e.Reason == subjects.ReasonPreempted && words[e.Attempt] != "" {
				sakes[e.Attempt] = words[e.Attempt] + "; that costs no retry"
			}
		}
	}
	return sakes
}

func (t *teller) tell(verb string, all heaps) {
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

// quoted sets the last lines of stderr below.
func quoted(tail string) string {
	if tail == "" {
		return ""
	}
	lines := strings.Split(strings.TrimRight(tail, "\n"), "\n")
	lines = lines[max(0, len(lines)-lastOf):]
	return "\n      | " + strings.Join(lines, "\n      | ")
}
