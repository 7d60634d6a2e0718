package chaos

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"lull/sim"
	"lull/subjects/history"
)

// The history of a pool with classifiers: so many hosts, each a tenant of its own, so many days back.
const (
	pastTenants = 4
	pastDays    = 4
)

// drawClasses gives half of the pools classifiers and a history that changes while they run.
func drawClasses(seed uint64, s *sim.Scenario) {
	rng := stream(seed, "classify")
	if rng.IntN(2) == 0 {
		return
	}
	s.Classifiers = 1 + rng.IntN(2)
	s.Classify = time.Duration(60+rng.IntN(180)) * time.Second
	for tenant := range pastTenants {
		s.Past = append(s.Past, drawPast(rng, 0, tenant)...)
	}
	for at := time.Duration(0); at < faultPeriod; at += 4 * time.Minute {
		s.Past = append(s.Past, drawPast(rng, at+time.Duration(rng.Int64N(int64(time.Minute))), rng.IntN(pastTenants))...)
	}
}

// drawPast is what a tenant used in the days before the run: little, much, or as by day and night.
func drawPast(rng *rand.Rand, at time.Duration, tenant int) (days []sim.Past) {
	level, wave := 0.1+0.5*rng.Float64(), 0.3*float64(rng.IntN(2))
	today := history.DayOf(history.Slot(sim.Begin))
	for d := int64(1); d <= pastDays; d++ {
		b := history.Block{From: today - d*int64(history.PerDay)}
		for i := range history.PerDay {
			used := history.Thousandths(level + wave*math.Sin(2*math.Pi*float64(i)/float64(history.PerDay)))
			b.Put(b.From+int64(i), history.Sample{Mean: used, Peak: used, Seconds: 120}, history.Owner{Cores: 8})
		}
		days = append(days, sim.Past{At: at, Host: fmt.Sprint("past-", tenant), Block: b})
	}
	return days
}
