package wired

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lull/subjects/spec"
)

const (
	hosts       = 6 // of the twelve that a sort asks for
	tasks       = hosts * slots
	recordBytes = 100
)

// sorting is a sort of records: maps deal them to ranges of keys, reduces sort a range each.
type sorting struct {
	work, input string
	records     int // of a task
}

// prepare writes the input into dir. It is read from the page cache.
func prepare(ctx context.Context, dir, work string, quick bool) (*sorting, error) {
	s := &sorting{work: work, input: filepath.Join(dir, "records"), records: (512<<20)/(tasks*recordBytes) + 1}
	if quick {
		s.records /= 8
	}
	f, err := os.Create(s.input)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // a short input fails the jobs
	write := exec.CommandContext(ctx, work, "records", fmt.Sprint(s.records*tasks))
	write.Stdout, write.Stderr = f, os.Stderr
	return s, write.Run()
}

// bytes is what there is to sort.
func (s *sorting) bytes() int64 { return int64(s.records) * tasks * recordBytes }

// job is the sort on hosts that a policy chooses.
func (s *sorting) job(by policy) *spec.Doc {
	each := int64(s.records) * recordBytes
	gives := spec.Gives{Ratio: 1}
	stage := spec.DocStage{Name: "map", Command: []string{s.work, "range-map"}, Bytes: each, Estimate: spec.Duration(time.Second), Gives: &gives, Sources: []string{}}
	for t := range int64(tasks) {
		stage.Splits = append(stage.Splits, spec.Split{Ranges: []spec.Range{{Path: s.input, Offset: t * each, Length: each, Size: s.bytes()}}})
	}
	reduce := spec.DocStage{
		Name: "reduce", Command: []string{s.work, "range-sort"}, Tasks: tasks, Estimate: spec.Duration(time.Second),
		From: []spec.DocFrom{{Stage: "map", By: spec.ByPartition}},
	}
	doc := &spec.Doc{Name: "sort", Type: "sort", Place: by.place, Stages: []spec.DocStage{stage, reduce}}
	for i := range doc.Stages {
		doc.Stages[i].Where = by.where
	}
	return doc
}

// policy is a way of choosing hosts.
type policy struct {
	name, place string
	where       map[string]string
	ours        bool
}

// policies differ at this size: H-1 and H-2 choose as RR-S does, because a rack has three hosts. The last one is
// none of the paper's: it shows that hosts matter.
var policies = []policy{
	{name: "RR-R", place: spec.PlaceSpread},
	{name: "RR-S, H-1, H-2", place: spec.PlacePack},
	{name: "ours", place: spec.PlaceFast, ours: true},
	{name: "the slow racks", place: spec.PlacePack, where: map[string]string{"uplink": "slow"}},
}

// byRack is how many of the hosts stand in each rack.
func byRack(names []string) string {
	var of [racks]int
	for _, name := range names {
		var h int
		if _, err := fmt.Sscanf(strings.TrimPrefix(name, "live-"), "%d", &h); err == nil {
			of[h/perRack]++
		}
	}
	return fmt.Sprint(of)
}
