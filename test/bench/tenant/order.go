package main

import (
	"math/rand/v2"
	"time"
)

// Order asks for load: phases one after the other, each a Poisson process. The
// same order gives the same times, whatever runs beside.
type Order struct {
	Seed   uint64  `json:"seed"`
	Phases []Phase `json:"phases"`
}

// Phase is so many requests a second for so many seconds.
type Phase struct {
	Rate    float64 `json:"rate"`
	Seconds float64 `json:"seconds"`
}

// Result is what became of an order's requests, in the order of their times.
type Result struct {
	Due  []int64 `json:"due"`  // when each should have left, ns since the order began
	Took []int64 `json:"took"` // ns from then to its answer, or to the end if there was none
	Lost int     `json:"lost"` // had no answer when the order ended
	Late int64   `json:"late"` // ns, the median delay of the generator itself
}

// times draws when requests are due.
func (o Order) times() (due []time.Duration) {
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	begin := 0.0
	for _, p := range o.Phases {
		end := begin + p.Seconds
		for at := begin; p.Rate > 0; {
			if at += rng.ExpFloat64() / p.Rate; at >= end {
				break
			}
			due = append(due, time.Duration(at*1e9))
		}
		begin = end
	}
	return due
}

// length is how long the order lasts.
func (o Order) length() time.Duration {
	sum := 0.0
	for _, p := range o.Phases {
		sum += p.Seconds
	}
	return time.Duration(sum * 1e9)
}
