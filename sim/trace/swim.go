package trace

import (
	"math"
	"time"

	"lull/subjects/spec"
)

// Swim is the rule from bytes to tasks for traces in the form of SWIM (Chen et al., MASCOTS 2011).
// They record of Hadoop jobs only what they read, shuffled and wrote. The zero value is ready.
//
//	maps     ⌈(input, and output where nothing is shuffled) / Block⌉ tasks
//	reduces  ⌈(shuffle + output) / Reducer⌉ tasks, when anything is shuffled
//	seconds  BlockSeconds for each Block that a task handles, at least 1
//	type     small: one map; medium: at most 100; large: more
//	deadline DeadlineFactor × the job's time alone on idle hosts, at least 60 s
//
// Bytes are multiplied by Scale first, which is how SWIM itself fits a trace
// to a smaller cluster. A type is a size class, so that a model is learnt for
// each; within one, a task's time is in proportion to its input.
//
// The times are assumptions, of the order of what such clusters did: traces
// say nothing of them. Vary BlockSeconds before you rest a conclusion on it.
type Swim struct {
	// Scale multiplies all bytes. Defaults to 1.
	Scale float64
	// Block is the input of a map, in bytes. Defaults to 128 MiB, HDFS's block.
	Block float64
	// BlockSeconds is how long an idle core takes for a block. Defaults to 20.
	BlockSeconds float64
	// Reducer is what a reduce handles, in bytes. Defaults to 1 GB, which was
	// Hive's hive.exec.reducers.bytes.per.reducer in those years.
	Reducer float64
	// DeadlineFactor is k; negative: no deadlines. Defaults to 3.
	DeadlineFactor float64
	// Slots are how many tasks can run at once on idle hosts. Defaults to no
	// limit.
	Slots float64
	// Moves says that reduces fetch what is shuffled from other hosts. Otherwise it is where they run.
	Moves bool
}

const (
	swimHeader = "job_id,submit_s,interarrival_s,map_input_bytes,shuffle_bytes,reduce_output_bytes"

	minTaskSeconds = 1  // to begin and end, whatever it reads
	minDeadline    = 60 // seconds: people set no shorter deadlines
	mediumMaps     = 100
)

func (s *Swim) fill() {
	for _, d := range []struct {
		field *float64
		value float64
	}{
		{&s.Scale, 1}, {&s.Block, 128 << 20}, {&s.BlockSeconds, 20}, {&s.Reducer, 1e9},
		{&s.DeadlineFactor, 3}, {&s.Slots, math.Inf(1)},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
}

// readSwim reads a SWIM trace.
func (l *list) readSwim() error {
	l.found.Form = "swim"
	s := &swim{list: l, Swim: l.o.Swim}
	s.fill()
	for _, c := range []struct {
		name  string
		where *int
	}{
		{"job_id", &s.id}, {"submit_s", &s.submit}, {"map_input_bytes", &s.input},
		{"shuffle_bytes", &s.shuffle}, {"reduce_output_bytes", &s.output},
	} {
		if *c.where = l.column(c.name); *c.where < 0 {
			return fileError(l.file, l.line, 0, "the column %s is missing: a SWIM trace has %s", c.name, swimHeader)
		}
	}
	return l.each(s.row)
}

type swim struct {
	*list
	Swim
	id, submit, input, shuffle, output int // columns
}

func (s *swim) row() (*Fault, error) {
	at, fault := s.number(s.submit, 0, maxSeconds)
	if fault != nil {
		return fault, nil
	}
	var bytes [3]float64
	for i, column := range []int{s.input, s.shuffle, s.output} {
		if bytes[i], fault = s.number(column, 0, maxBytes); fault != nil {
			return fault, nil
		}
	}
	return s.add(seconds(at), s.job(bytes[0]*s.Scale, bytes[1]*s.Scale, bytes[2]*s.Scale))
}

func (s *swim) job(input, shuffle, output float64) spec.Job {
	job := spec.Job{Name: jobName(s.text(s.id))}
	if shuffle == 0 {
		job.Stages = []spec.Stage{s.stage("map", input+output, s.Block)}
	} else {
		job.Stages = []spec.Stage{s.stage("map", input, s.Block), s.stage("reduce", shuffle+output, s.Reducer)}
		job.Stages[0].Partitions = job.Stages[1].Tasks
		job.Stages[1].From = []spec.From{{Stage: 0, Partition: true}}
		if s.Moves {
			job.Stages[0].Yield = int64(shuffle / float64(job.Stages[0].Tasks))
		}
	}
	job.Type = class(job.Stages[0].Tasks)
	if s.DeadlineFactor > 0 {
		job.DeadlineIn = s.deadline(job.Stages)
	}
	return job
}

// stage divides bytes into tasks of at most most bytes each.
func (s *swim) stage(name string, bytes, most float64) spec.Stage {
	tasks := min(max(math.Ceil(bytes/most), 1), spec.MaxTasks)
	each := max(bytes/tasks, s.Block*minTaskSeconds/s.BlockSeconds)
	return stage(name, tasks, each/s.Block*s.BlockSeconds, each)
}

func class(maps uint32) string {
	switch {
	case maps == 1:
		return "swim-small"
	case maps <= mediumMaps:
		return "swim-medium"
	}
	return "swim-large"
}

// deadline is k times what the stages take one after the other, each in waves
// over all slots.
func (s *swim) deadline(stages []spec.Stage) time.Duration {
	ideal := 0.0
	for i := range stages {
		waves := max(math.Ceil(float64(stages[i].Tasks)/s.Slots), 1)
		ideal += waves * stages[i].Estimate.Seconds()
	}
	return seconds(min(max(s.DeadlineFactor*ideal, minDeadline), maxDeadline))
}
