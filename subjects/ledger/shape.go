package ledger

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"lull/subjects"
	"lull/subjects/spec"
	"lull/subjects/wire"
)

// A specification in memory takes six hundred bytes, most of a queue's memory,
// and decoding a million of them takes seconds. So a job keeps it as bytes, and
// beside them its shape: what scheduling reads of it. A thousand submissions of
// one command, each with a name, arguments and an input of its own, are of one
// shape and share it.

// Spec is the whole specification. It is decoded anew for each call, in some
// microseconds: what is read of every job belongs in its shape.
func (j *Job) Spec() *spec.Job {
	job := new(spec.Job)
	if err := subjects.Unmarshal([]byte(j.doc), job); err != nil || len(job.Stages) != len(j.Shape.Stages) {
		return j.Shape // the job wrote the bytes itself, so this takes a forged snapshot
	}
	return job
}

// shapeOf leaves out what scheduling does not read: names, commands, inputs and their
// sizes (see Stage.Bytes), and where results go. It puts the stages into room.
func shapeOf(job *spec.Job, room []spec.Stage) spec.Job {
	room = append(room[:0], job.Stages...)
	for i := range room {
		st := &room[i]
		st.Argv, st.Env, st.Vars, st.Dir, st.Sent = nil, nil, nil, "", nil
		st.List, st.Chunk, st.Splits, st.Bytes = "", 0, nil, 0
	}
	return spec.Job{Type: job.Type, Queue: job.Queue, Origin: job.Origin, Late: job.Late, AtOnce: job.AtOnce, Place: job.Place, Stages: room}
}

// interner finds what jobs may share: shapes by their bytes, texts and senders.
type interner struct {
	shapes  map[string]*spec.Job
	texts   map[string]string
	senders map[Sender]*Sender

	room    *bytes.Buffer    // for the next specification
	encoder *msgpack.Encoder // writes to room
	stages  []spec.Stage     // room for the next shape's
}

// maxAlike bounds what is looked through. When it is full it begins anew: what
// is shared already stays so.
const maxAlike = 1024

// maxShared is the size of a text that is shared at most, in bytes: long ones
// are seldom alike, and what is remembered takes memory.
const maxShared = 4 << 10

func newInterner() interner {
	room := new(bytes.Buffer)
	return interner{
		shapes: map[string]*spec.Job{}, texts: map[string]string{}, senders: map[Sender]*Sender{},
		room: room, encoder: wire.NewEncoder(room),
	}
}

// describe gives the job its specification.
func (s *interner) describe(j *Job, job *spec.Job) {
	j.Shape, j.Name, j.doc = s.shape(job), s.text(job.Name), s.bytes(s.encode(job))
	j.conditional = j.Shape.Conditional()
}

// encode returns bytes that the next call overwrites.
func (s *interner) encode(job *spec.Job) []byte {
	if s.room.Cap() > maxShared {
		*s.room = bytes.Buffer{}
	}
	s.room.Reset()
	if err := spec.Encode(s.encoder, job); err != nil {
		panic(err) // a struct of numbers and texts
	}
	return s.room.Bytes()
}

// shape returns the shape of a specification, the same if there was one lately.
func (s *interner) shape(job *spec.Job) *spec.Job {
	shape := shapeOf(job, s.stages)
	s.stages = shape.Stages
	key := s.encode(&shape)
	if known := s.shapes[string(key)]; known != nil {
		clear(s.stages) // they are the job's, and large
		return known
	}
	s.stages = nil // the new shape keeps them
	fresh := &spec.Job{}
	*fresh = shape
	if len(key) <= maxShared {
		remember(s.shapes, string(key), fresh)
	}
	return fresh
}

// text returns the text, shared if it was there lately.
func (s *interner) text(text string) string {
	if known, ok := s.texts[text]; ok {
		return known
	}
	if len(text) <= maxShared {
		remember(s.texts, text, text)
	}
	return text
}

// bytes returns the text of some bytes, shared if it was there lately.
func (s *interner) bytes(body []byte) string {
	if known, ok := s.texts[string(body)]; ok {
		return known
	}
	return s.text(string(body))
}

func (s *interner) sender(user, client string) *Sender {
	sender := Sender{user, client}
	known := s.senders[sender]
	if known == nil {
		known = &sender
		remember(s.senders, sender, known)
	}
	return known
}

func remember[K comparable, V any](known map[K]V, key K, value V) {
	if len(known) >= maxAlike {
		clear(known)
	}
	known[key] = value
}
