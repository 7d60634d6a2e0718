package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Accuracy is how well the times of a type's placed jobs were predicted.
type Accuracy struct {
	Type      string  `msgpack:"type"`
	Runs      uint32  `msgpack:"runs"`      // that were predicted
	Predicted float64 `msgpack:"predicted"` // seconds of the last one
	True      float64 `msgpack:"true"`
	Error     float64 `msgpack:"error"`  // mean of the last ones, as a share of the true time
	Misses    uint32  `msgpack:"misses"` // of late, one after the other: errors above MostError
	Seq       uint64  `msgpack:"seq"`    // log sequence of the last one
}

const (
	// MostError is the error of a prediction, as a share of the true time, beyond which it missed.
	MostError = 0.3
	// mostMisses is how many jobs in a row may be missed before their type is placed no more.
	mostMisses = 3
	// mostAccuracies is how many types are kept: those that ran last.
	mostAccuracies = 1000
)

// Fits reports whether jobs of the type may be placed by predictions.
func (a *Accuracy) Fits() bool { return a == nil || a.Misses < mostMisses }

// Accuracies are the accuracy of each type, by type.
type Accuracies []*Accuracy

// Of returns that of a type, nil if none of its jobs was predicted.
func (all Accuracies) Of(jobType string) *Accuracy {
	if at, ok := all.find(jobType); ok {
		return all[at]
	}
	return nil
}

func (all Accuracies) find(jobType string) (int, bool) {
	return slices.BinarySearchFunc(all, jobType, func(a *Accuracy, t string) int { return strings.Compare(a.Type, t) })
}

// learn adds a job that was predicted to take so many seconds, and what it took. It forgets the type that ran
// longest ago if there are too many.
func (all *Accuracies) learn(seq uint64, jobType string, predicted, took float64) {
	at, known := all.find(jobType)
	if !known {
		*all = slices.Insert(*all, at, &Accuracy{Type: jobType})
	}
	(*all)[at].add(seq, predicted, took)
	if len(*all) > mostAccuracies {
		oldest := slices.MinFunc(*all, func(a, b *Accuracy) int { return cmp.Compare(a.Seq, b.Seq) })
		*all = slices.DeleteFunc(*all, func(a *Accuracy) bool { return a == oldest })
	}
}

func (a *Accuracy) add(seq uint64, predicted, took float64) {
	const lately = 4
	miss := max(predicted-took, took-predicted) / took
	a.Runs++
	a.Error += (miss - a.Error) / float64(min(a.Runs, lately))
	a.Predicted, a.True, a.Seq = predicted, took, seq
	a.Misses++
	if miss <= MostError {
		a.Misses = 0
	}
}

// check refuses what is not in its place.
func (all Accuracies) check() error {
	for i, a := range all {
		if a == nil || i > 0 && all[i-1].Type >= a.Type {
			return fmt.Errorf("the accuracy of type %d is missing, or not in its place", i)
		}
	}
	return nil
}
