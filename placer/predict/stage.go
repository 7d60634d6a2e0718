package predict

import (
	"math"

	"lull/subjects/turns"
)

// stage is what of a stage's description the prediction needs, and how far it is.
type stage struct {
	*Stage
	index int
	from  []source
	next  []int32 // stages that read it
	moved float64 // bytes of a task on its disk: what it reads and writes
	out   float64 // bytes that a task writes
	// single says that so few requests are made for it that each is played by itself.
	single bool

	elements float64 // sources of which a task reads one file

	counted bool      // what follows is known: the sources are complete
	kept    []kept    // by group: of a host, for one task
	racks   []float64 // bytes by rack, for one task
	inRacks float64   // their sum
	readers []float64 // tasks by rack that fetched
	total   kept
	common  int // number of the sharing's loads for all that hosts keep, -1 if not listed yet

	waits int // stages that it reads and that are not complete
	queue int // tasks that no slot has taken
	left  int // tasks that have not ended
}

// source is a stage that another one reads, for one of its tasks.
type source struct {
	stage   int
	share   float64 // of what a host keeps of it
	batch   float64 // files in one request
	element bool    // one file in all
}

// mostSingle is the number of requests of a stage's tasks up to which each is played by itself. That many
// cost less than a prediction may take, and in more of them the order of requests averages out.
const mostSingle = 256

// describe computes what follows from the description alone.
func (p *Predictor) describe() {
	p.stages = make([]stage, len(p.app.Stages))
	bytes, files := make([]float64, len(p.stages)), make([]float64, len(p.stages)) // of a stage
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
		s.single = s.elements == 0 && asked > turns.Task && asked*float64(s.Tasks) <= mostSingle
		s.out = s.Gives * read
		s.moved = read + s.out
		bytes[i], files[i] = s.out*float64(s.Tasks), float64(s.Tasks)
	}
}

// source describes what a task of the stage reads of one with so many bytes and files.
func (s *stage) source(from From, bytes, files float64) source {
	src := source{stage: from.Stage, share: 1, batch: 1}
	switch from.Kind {
	case Part:
		src.share = 1 / float64(s.Tasks)
		if bytes/files*src.share <= turns.SmallPart {
			src.batch = turns.PartsTogether
		}
	case Same:
		src.share, src.element = 1/files, true
	}
	return src
}

// begin has nothing of the stage done.
func (s *stage) begin() {
	s.waits, s.queue, s.left, s.counted = 0, s.Tasks, s.Tasks, false
	if len(s.Held) > 0 {
		s.queue, s.left = 0, 0
	}
}

// ready reports whether a task of the stage may take a slot.
func (s *stage) ready() bool { return s.waits == 0 && s.queue > 0 }

// end counts tasks that ended.
func (p *Predictor) end(s *stage, tasks int) {
	s.left -= tasks
	if s.left > 0 {
		return
	}
	for _, next := range s.next {
		p.stages[next].waits--
	}
	p.lowest = 0
}

// nextStage is the first stage with a task to place, nil if there is none.
func (p *Predictor) nextStage() *stage {
	for ; p.lowest < len(p.stages); p.lowest++ {
		if s := &p.stages[p.lowest]; s.ready() {
			return s
		}
	}
	return nil
}
