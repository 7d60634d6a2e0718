package predict

import (
	"math"

	"lull/subjects/turns"
)

// stage is what the prediction needs of a stage's description, and how far the stage has come.
type stage struct {
	*Stage
	index int
	from  []source
	next  []int32 // stages that read it
	moved float64 // bytes that a task reads from and writes to its disk
	out   float64 // bytes that a task writes
	// single says that each request of the stage's tasks is played by itself: see mostSingle.
	single bool

	elements float64 // number of sources of which a task reads just one file

	counted bool      // the sources are complete, and the fields from kept to total are set
	kept    []kept    // by group: what one of its hosts keeps for one task
	racks   []float64 // by rack: bytes that its hosts keep for one task
	inRacks float64   // sum of racks
	readers []float64 // by rack: number of tasks that have begun to fetch there
	total   kept      // what all hosts keep for one task
	common  int       // index of the load that fetching from all hosts puts on the links, in Predictor.sharing; -1: none yet

	waits int // number of incomplete stages that it reads
	queue int // number of tasks that have no slot yet
	left  int // number of tasks that have not ended
}

// source is a stage that another stage reads, as one task of the reader sees it.
type source struct {
	stage   int
	share   float64 // of the bytes that a host keeps of it
	batch   float64 // number of files in one request
	element bool    // the task reads one file in all
}

// mostSingle is the greatest number of requests, over all tasks of a stage, for which each request is
// played by itself. So many are affordable in a prediction. With more, the order of requests averages
// out, and they are played together.
const mostSingle = 256

// describe computes the fields of all stages that follow from the application's description alone.
func (p *Predictor) describe() {
	p.stages = make([]stage, len(p.app.Stages))
	bytes, files := make([]float64, len(p.stages)), make([]float64, len(p.stages)) // by stage: its output
	for i := range p.stages {
		s := &p.stages[i]
		s.Stage, s.index = &p.app.Stages[i], i
		for _, held := range s.Held {
			bytes[i] += held.Bytes
			files[i] += float64(held.Files)
		}
		if len(s.Held) > 0 {
			continue
		}
		read, asked := s.Input, 0.0
		for _, from := range s.From {
			p.stages[from.Stage].next = append(p.stages[from.Stage].next, int32(i))
			if from.Kind == After || files[from.Stage] == 0 {
				continue
			}
			src := s.source(from, bytes[from.Stage], files[from.Stage])
			read += src.share * bytes[from.Stage]
			s.from = append(s.from, src)
			asked += math.Ceil(files[from.Stage] / src.batch)
			if src.element {
				s.elements++
			}
		}
		s.single = s.elements == 0 && asked > turns.TaskTransfers && asked*float64(s.Tasks) <= mostSingle
		s.out = s.Gives * read
		s.moved = read + s.out
		bytes[i], files[i] = s.out*float64(s.Tasks), float64(s.Tasks)
	}
}

// source describes what a task of the stage reads of an earlier stage with an output of so many bytes and
// files.
func (s *stage) source(from From, bytes, files float64) source {
	src := source{stage: from.Stage, share: 1, batch: 1}
	switch from.Kind {
	case Part:
		src.share = 1 / float64(s.Tasks)
		if bytes/files*src.share <= turns.SmallPart {
			src.batch = turns.PartsPerRequest
		}
	case Same:
		src.share, src.element = 1/files, true
	}
	return src
}

// begin resets the stage to the start of a prediction: none of its tasks has run, unless its output is
// there already.
func (s *stage) begin() {
	s.waits, s.queue, s.left, s.counted = 0, s.Tasks, s.Tasks, false
	if len(s.Held) > 0 {
		s.queue, s.left = 0, 0
	}
}

// ready reports whether a task of the stage may take a slot.
func (s *stage) ready() bool { return s.waits == 0 && s.queue > 0 && s.room() > 0 }

// room is how many tasks more of the stage may begin now.
func (s *stage) room() int {
	if s.AtOnce == 0 {
		return s.queue
	}
	return min(s.queue, s.AtOnce-(s.left-s.queue))
}

// end counts tasks that ended. The stage's last one lets the stages go on that wait for it.
func (p *Predictor) end(s *stage, tasks int) {
	s.left -= tasks
	if s.AtOnce > 0 {
		p.lowest = 0 // its next task may begin
	}
	if s.left > 0 {
		return
	}
	for _, next := range s.next {
		p.stages[next].waits--
	}
	p.lowest = 0
}

// nextStage returns the first stage with a task that may take a slot, nil if there is none.
func (p *Predictor) nextStage() *stage {
	for ; p.lowest < len(p.stages); p.lowest++ {
		if s := &p.stages[p.lowest]; s.ready() {
			return s
		}
	}
	return nil
}
