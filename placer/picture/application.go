// Package picture turns the log and telemetry into what a prediction needs: an application for a job, and
// a snapshot of the pool.
package picture

import (
	"slices"

	"lull/placer/predict"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Job is a job to be placed: an open one, or a document that was not submitted.
type Job struct {
	Shape *spec.Job
	Life  *ledger.Job // nil for a document
}

// Times are how long tasks take.
type Times struct {
	Curves *tct.Curves
	// Overhead is the seconds that a task of a model takes beside fetching and running.
	Overhead func(model string) float64
}

// Application describes the part of a job that is still to be done, publishing aside. known is false if
// it is unknown what a stage gives that another one reads. hosts are those of the snapshot, by name.
func Application(s *ledger.State, times Times, job Job, hosts map[string]int) (app *predict.Application, known bool) {
	b := &builder{state: s, times: times, job: job, hosts: hosts, app: &predict.Application{}, known: true}
	b.at = make([]int, len(job.Shape.Stages))
	b.given = make([]float64, len(job.Shape.Stages))
	for i := range b.at {
		b.at[i] = unseen
	}
	for i := range b.at {
		b.add(i)
	}
	return b.app, b.known
}

const (
	unseen = -2 - iota
	leftOut
)

type builder struct {
	state *ledger.State
	times Times
	job   Job
	hosts map[string]int
	app   *predict.Application
	at    []int     // stage of the application, by stage of the job
	given []float64 // bytes of a whole stage
	known bool
}

// add describes a stage after those that it reads. A stage that reads itself by way of others cannot be
// submitted.
func (b *builder) add(i int) {
	if b.at[i] != unseen {
		return
	}
	b.at[i] = leftOut
	st := &b.job.Shape.Stages[i]
	if st.Publish || !st.RunsOnSuccess() {
		return
	}
	for on := range reads(st) {
		b.add(int(on.Stage))
	}
	s := predict.Stage{Tasks: b.left(i), From: b.from(st)}
	if most := int(spec.MostAtOnce(b.job.Shape, i)); most < s.Tasks {
		s.AtOnce = most
	}
	s.Input, s.Gives = b.flows(i)
	switch held := b.held(i); {
	case len(held) > 0:
		s.Held = held
	case s.Tasks == 0:
		return
	}
	model := b.job.Shape.Model(i)
	s.Curve, s.Overhead = b.times.Curves.Of(b.state.Model(model), st.Guess(b.bytes(i)), b.bytes(i)), b.times.Overhead(model)
	b.at[i] = len(b.app.Stages)
	b.app.Stages = append(b.app.Stages, s)
}

// reads yields what a stage reads, and what else it waits for.
func reads(st *spec.Stage) func(func(predictFrom) bool) {
	return func(yield func(predictFrom) bool) {
		for _, f := range st.From {
			kind := predict.All
			switch {
			case f.Partition:
				kind = predict.Part
			case f.Element:
				kind = predict.Same
			}
			if !yield(predictFrom{f.Stage, kind}) {
				return
			}
		}
		for _, on := range st.After {
			if !yield(predictFrom{on, predict.After}) {
				return
			}
		}
	}
}

type predictFrom struct {
	Stage uint32
	Kind  predict.Kind
}

func (b *builder) from(st *spec.Stage) (all []predict.From) {
	for on := range reads(st) {
		if at := b.at[on.Stage]; at >= 0 {
			all = append(all, predict.From{Stage: at, Kind: on.Kind})
		}
	}
	return all
}

func (b *builder) left(i int) int {
	if b.job.Life == nil {
		return int(b.job.Shape.Stages[i].Tasks)
	}
	return b.job.Life.Left(i)
}

func (b *builder) bytes(i int) int64 {
	if b.job.Life == nil {
		return b.job.Shape.Stages[i].Bytes
	}
	return b.job.Life.Stages[i].Bytes
}

// flows returns what a task of a stage reads besides the outputs of other stages, and what it gives for
// each byte that it reads in all. A stage for which no input is known counts as if it read what it gives.
func (b *builder) flows(i int) (input, gives float64) {
	st := &b.job.Shape.Stages[i]
	tasks := float64(st.Tasks)
	read := 0.0
	for on := range reads(st) {
		given := b.given[on.Stage]
		switch on.Kind {
		case predict.Part, predict.Same:
			read += given / tasks
		case predict.All:
			read += given
		case predict.After:
		}
	}
	if len(st.From) == 0 {
		input = float64(b.bytes(i))
	}
	gives, yields, known := b.gives(i)
	b.known = b.known && (known || !b.isRead(i))
	switch all := input + read; {
	case all > 0 && gives == 0:
		gives = yields / all
	case all == 0 && yields > 0:
		input, gives = yields, 1
	}
	b.given[i] = (input + read) * gives * tasks
	return input, gives
}

// gives returns what a task of a stage gives: for each byte that it reads, or else in all.
func (b *builder) gives(i int) (ratio, bytes float64, known bool) {
	st := &b.job.Shape.Stages[i]
	m := b.state.Model(b.job.Shape.Model(i))
	switch {
	case m != nil && m.Yield > 0:
		return m.Gives, m.Yield, true
	case st.Gives > 0:
		return st.Gives, 0, true
	case st.Yield > 0:
		return 0, float64(st.Yield), true
	}
	return 0, 0, m != nil
}

// Unknown returns the names of the stages that others read although it is unknown what they give.
func Unknown(s *ledger.State, job Job) (names []string) {
	b := &builder{state: s, job: job}
	for i := range job.Shape.Stages {
		if _, _, known := b.gives(i); !known && b.isRead(i) {
			names = append(names, job.Shape.Stages[i].Name)
		}
	}
	return names
}

// isRead reports whether another stage of the job reads this one.
func (b *builder) isRead(i int) bool {
	return slices.ContainsFunc(b.job.Shape.Stages, func(st spec.Stage) bool {
		return !st.Publish && slices.ContainsFunc(st.From, func(f spec.From) bool { return int(f.Stage) == i })
	})
}

// held returns where the output of a complete stage is, on hosts of the snapshot.
func (b *builder) held(i int) (all []predict.Held) {
	life := b.job.Life
	if life == nil || life.Left(i) > 0 || b.given[i] <= 0 {
		return nil
	}
	each := b.given[i] / float64(life.Stages[i].Len())
	files := map[int]int{}
	for kept := range b.state.Outputs(life, i) {
		if at, known := b.hosts[kept.Host.Name]; known {
			files[at]++
		}
	}
	for at := range len(b.hosts) {
		if n := files[at]; n > 0 {
			all = append(all, predict.Held{Host: at, Bytes: each * float64(n), Files: n})
		}
	}
	return all
}
