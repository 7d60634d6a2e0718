package uplink

import (
	"fmt"
	"math"
	"slices"
	"time"
)

const (
	// trials is how many of the latest shuffles count, and enough how many it takes.
	trials, enough = 8, 3
	// minFillSeconds is the least time for which a shuffle must fill a link at its declared rate to say something of it: else
	// no window lies within it.
	minFillSeconds = window + 1.0
	// reducedBelow is the share of the declared rate below which a link counts for less: requests and headers take some.
	reducedBelow = 0.85
	// trialLasts is how long a shuffle counts.
	trialLasts = 24 * time.Hour
	// filled is the share of what a link bears that must cross it while a stage fetches. Where less did, the stage's tasks
	// fetched one after the other, as slots became free, and did not fill the link.
	filled = 0.5
)

// Learnt is what shuffles showed of a link, the latest last.
type Learnt struct {
	Link
	Trials []Trial `msgpack:"trials"`
}

// Trial is a shuffle that pressed a link.
type Trial struct {
	At   int64   `msgpack:"at"`   // Unix seconds, by the log
	Rate float64 `msgpack:"rate"` // bytes/s that crossed the link at best, with what primaries moved
}

// JudgeStage judges a stage all of whose tasks are done. capacity is a link's declared rate in bytes/s, 0 for none that is
// known, and primaries what others than tasks move over it.
func (l *Links) JudgeStage(stage Stage, now time.Time, capacity, primaries func(Link) float64) {
	at := slices.IndexFunc(l.stages, func(f *fetching) bool { return f.stage == stage })
	if at < 0 {
		return
	}
	f := l.stages[at]
	l.stages = slices.Delete(l.stages, at, at+1)
	link, seconds := pressed(f, capacity)
	if seconds < minFillSeconds {
		return
	}
	best := l.best(link, f)
	if l.crossed(link, f) < filled*best*float64(f.last-f.first) {
		return
	}
	if rate := best + primaries(link); rate > 0 && !math.IsInf(rate, 1) {
		l.note(link, Trial{now.Unix(), rate})
	}
}

// pressed is the link that a stage would fill for longest, and for how long. Others have room when it has none, so
// their rates say nothing of them.
func pressed(f *fetching, capacity func(Link) float64) (link Link, seconds float64) {
	for of, bytes := range f.bytes {
		c := capacity(of)
		if c <= 0 {
			continue
		}
		if s := bytes / c; s > seconds || s == seconds && of.compare(link) < 0 {
			link, seconds = of, s
		}
	}
	return link, seconds
}

func (l *Links) note(link Link, t Trial) {
	at, known := slices.BinarySearchFunc(l.learnt, link, func(a *Learnt, link Link) int { return a.compare(link) })
	if !known {
		l.learnt = slices.Insert(l.learnt, at, &Learnt{Link: link})
	}
	of := l.learnt[at]
	if len(of.Trials) == trials {
		of.Trials = slices.Delete(of.Trials, 0, 1)
	}
	of.Trials = append(of.Trials, t)
}

// Rate is what a link of a declared rate counts for: that, or the most that its latest shuffles had. learnt says that
// it is less.
func (l *Links) Rate(link Link, declared float64, now time.Time) (rate float64, learnt bool) {
	at, known := slices.BinarySearchFunc(l.learnt, link, func(a *Learnt, link Link) int { return a.compare(link) })
	if !known {
		return declared, false
	}
	most, n := 0.0, 0
	for _, t := range l.learnt[at].Trials {
		if now.Sub(time.Unix(t.At, 0)) < trialLasts {
			most, n = max(most, t.Rate), n+1
		}
	}
	if n < enough || most >= reducedBelow*declared {
		return declared, false
	}
	return most, true
}

// Save lists what was learnt, for a snapshot.
func (l *Links) Save() []*Learnt { return l.learnt }

// Load takes over what Save listed.
func (l *Links) Load(list []*Learnt) error {
	for i, of := range list {
		if of == nil || len(of.Trials) > trials || i > 0 && list[i-1].compare(of.Link) >= 0 ||
			slices.ContainsFunc(of.Trials, func(t Trial) bool { return !(t.Rate > 0) || math.IsInf(t.Rate, 1) }) {
			return fmt.Errorf("an entry of a rack's uplink is empty or out of order, has more than %d shuffles, or one with a rate that is not positive", trials)
		}
	}
	*l = Links{learnt: list}
	return nil
}
