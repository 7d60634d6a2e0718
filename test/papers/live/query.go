package live

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"lull/slotter"
	"lull/subjects/spec"
	"lull/test/papers/sharing"
)

// step is one stage of the job that queues share this machine with: an operator
// over so many copies of the text a task.
type step struct {
	operator operator
	tasks    int
	copies   [3]int // by size
}

// Sizes of a query.
const (
	usual = iota // as fit stretches it
	brief        // a few
	shown        // stages that last for most of a trial
)

// steps are the steps of a query, as the paper's SkyServer query has them: wide ones
// and a serial merger.
var steps = []step{
	{operators[0], 2, [3]int{usual: 6, brief: 2, shown: 7}},
	{operators[3], 2, [3]int{usual: 10, brief: 3, shown: 12}},
	{operators[1], 2, [3]int{usual: 7, brief: 2, shown: 9}},
	{operators[2], 1, [3]int{usual: 1, brief: 1, shown: 7}},
}

// query is the job in one of its sizes.
func (b *bench) query(queue string, size int) *spec.Doc {
	doc := &spec.Doc{Name: "query", Type: "query", Queue: queue}
	for _, s := range steps {
		copies := s.copies[size]
		if size == usual {
			copies = max(1, int(math.Round(b.stretch*float64(copies))))
		}
		split := spec.Split{Ranges: slices.Repeat(b.halves(), copies)}
		stage := spec.DocStage{
			Name: s.operator.name, Command: b.argv(s.operator), Splits: slices.Repeat([]spec.Split{split}, s.tasks),
			Bytes: int64(copies) * b.text.Length, Estimate: spec.Duration(time.Duration(copies) * 400 * time.Millisecond),
		}
		if n := len(doc.Stages); n > 0 {
			stage.After = []string{doc.Stages[n-1].Name}
		}
		doc.Stages = append(doc.Stages, stage)
	}
	return doc
}

// halves returns the text as two ranges. A whole file would be passed to the task as it is, which meters
// reading less exactly than feeding ranges.
func (b *bench) halves() []spec.Range {
	first, second := b.text, b.text
	first.Length /= 2
	second.Offset, second.Length = first.Length, b.text.Length-first.Length
	return []spec.Range{first, second}
}

// inPool runs queues of jobs on a pool that remembers what earlier pools learnt. stolen
// is the share of the CPU that the hypervisor took meanwhile.
func (b *bench) inPool(ctx context.Context, pace string, queues []sharing.Queue, job func(queue string) *spec.Doc) (spans []sharing.Span, stolen float64, err error) {
	p, err := openPool(ctx, b.folder(), pace)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if spans, err = p.run(ctx, queues, job); err != nil {
		return nil, 0, err
	}
	return spans, p.clock.Stolen(), nil
}

// alone is how long a usual job is to take with the whole machine. With half of it, or two thirds, a job
// takes at least twenty seconds, and all ways together a quarter of an hour.
const alone = 12 * time.Second

// fit chooses the length of the usual job so that it takes alone by itself. The length is not constant,
// because a virtual machine's speed changes with its neighbours.
func (b *bench) fit(ctx context.Context) error {
	b.stretch = 1
	spans, _, err := b.inPool(ctx, slotter.PaceOff, []sharing.Queue{{Name: "one", Weight: 1, Jobs: 1}}, func(queue string) *spec.Doc { return b.query(queue, usual) })
	if err != nil {
		return err
	}
	b.stretch = alone.Seconds() / (spans[0].Ended - spans[0].Began).Seconds()
	return nil
}

// learnJobs runs two long jobs to learn how their stages follow their caps, before anything is
// measured.
func (b *bench) learnJobs(ctx context.Context) error {
	queues := []sharing.Queue{{Name: "one", Weight: 1, Jobs: 1}, {Name: "two", Weight: 1, Jobs: 1}}
	_, _, err := b.inPool(ctx, slotter.PaceOn, queues, func(queue string) *spec.Doc { return b.query(queue, shown) })
	return err
}
