package slotter

import (
	"fmt"
	"slices"
	"testing"

	"lull/slotter/datanode"
	"lull/subjects"
)

// BenchmarkSaturated is a round in which all of a thousand jobs but the last
// wait for a data node that is full.
func BenchmarkSaturated(b *testing.B) {
	for _, policy := range []string{"mp", "mp+"} {
		b.Run(policy, func(b *testing.B) {
			p := crowd(b, policy, 1000, 10_000)
			p.a.facts.DataNodes = datanode.New([]datanode.Config{{Name: "nfs:filer", Capacity: 50 * megabyte}})
			for i, j := range p.a.facts.Jobs.BySeq[:999] {
				shape := *j.Life.Shape
				shape.Stages = slices.Clone(shape.Stages)
				shape.Stages[0].Sources = []string{"nfs:filer"}
				shape.Type = fmt.Sprint("scan-", i%20)
				j.Life.Shape = &shape
			}
			for i := range 20 {
				p.say(&subjects.Fitted{Type: fmt.Sprint("scan-", i), A: 10 + float64(i), Low: 0.05, High: 1, Samples: 1e6, Read90: 40 * megabyte})
			}
			for b.Loop() {
				p.a.facts.Due.Slots = true
				if n := len(p.decide()); n < 100 {
					b.Fatalf("%d assignments", n)
				}
			}
		})
	}
}
