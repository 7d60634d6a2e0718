package story

import (
	"fmt"
	"strings"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// placed writes on which hosts a job runs, and what the choice was made from.
func (t *teller) placed(at string, e *subjects.Placed) {
	if len(e.Hosts) == 0 {
		t.sayf("%s not placed: %s%s.", at, notPlaced(e), placedAgain(e.Anew))
		return
	}
	t.sayf("%s placed on %s (%s)%s: predicted to take %s from its first task on, %s of its slots' time for moving data.",
		at, humane.Count(len(e.Hosts), "host"), e.Objective, placedAgain(e.Anew), humane.Seconds(e.Seconds), humane.Percent(e.Moving))
	var others []string
	for _, b := range e.Baselines {
		others = append(others, b.Policy+" "+humane.Seconds(b.Seconds))
	}
	if len(others) > 0 {
		t.sayf("         Simpler rules: %s. No hosts can do it in less than %s.", strings.Join(others, ", "), humane.Seconds(e.Bound))
	}
	t.sayf("         Hosts: %s.", hostNames(e.Hosts))
}

// notPlaced is why a job may run on every host.
func notPlaced(e *subjects.Placed) string {
	switch e.Why {
	case subjects.PlacedLittle:
		return fmt.Sprintf("moving data is predicted to take %s of its time", humane.Percent(e.Moving))
	case subjects.PlacedUnknown:
		return "it is unknown what its stages give to each other (gives: in the document says it for a first run)"
	case subjects.PlacedUnfit:
		return "the last predictions for its type were too far off"
	case subjects.PlacedGain:
		return "waiting for the slots of chosen hosts might cost it more than it would gain there"
	case subjects.PlacedNowhere:
		return fmt.Sprintf("no host with a rack has a slot for its tasks (%s left out)", humane.Count(int(e.Left), "host"))
	}
	return e.Why
}

func placedAgain(anew string) string {
	if anew == subjects.PlacedLost {
		return ", again because hosts of it are gone"
	}
	return ""
}

func hostNames(hosts []subjects.PlacedHost) string {
	const most = 8
	var names []string
	for i, h := range hosts {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(hosts)-most))
			break
		}
		names = append(names, h.Host)
	}
	return strings.Join(names, ", ")
}

// placing has a job's predicted time and its true one, as far as the story has read them.
type placing struct {
	predicted float64
	again     bool
	began     time.Time
	ended     time.Time // of the last task that is the job's own
}

// note follows what the log says of the job.
func (p *placing) note(entry actors.Entry, j *ledger.Job) {
	switch e := entry.Event.(type) {
	case *subjects.Placed:
		p.again = p.again || p.predicted > 0
		p.predicted = e.Seconds
	case *subjects.Assigned:
		if p.began.IsZero() {
			p.began = entry.Time
		}
	case *subjects.Finished:
		if int(e.Stage) < len(j.Shape.Stages) && !j.Shape.Stages[e.Stage].Publish {
			p.ended = entry.Time
		}
	case *subjects.Retried:
		*p = placing{again: true}
	}
}

// verdict says how far the prediction was off, "" if there was none or the job was placed more than once.
func (p *placing) verdict() string {
	took := p.ended.Sub(p.began).Seconds()
	if p.predicted <= 0 || p.again || p.began.IsZero() || took <= 0 {
		return ""
	}
	return fmt.Sprintf("Predicted to take %s from its first task on, it took %s: %s.", humane.Seconds(p.predicted), humane.Seconds(took), off(p.predicted, took))
}

func off(predicted, took float64) string {
	switch share := predicted/took - 1; {
	case share > 0.005:
		return humane.Percent(share) + " too long"
	case share < -0.005:
		return humane.Percent(-share) + " too short"
	}
	return "as predicted"
}
