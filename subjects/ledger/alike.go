package ledger

import (
	"crypto/sha256"

	"lull/subjects"
	"lull/subjects/spec"
)

// specs finds jobs that are alike: a thousand submissions of one document, or of
// one command under a thousand names, share what they have in common. A
// specification of its own takes six hundred bytes, and most of a queue's memory.
type specs struct {
	jobs   map[[16]byte]*spec.Job
	stages map[[16]byte][]spec.Stage
	names  map[string]string
}

// maxAlike bounds what is looked through. When it is full it begins anew: what
// is shared already stays so.
const maxAlike = 1024

// maxShared is the size of what is shared at most, in bytes: lists of inputs are
// seldom alike, and what is remembered takes memory.
const maxShared = 4 << 10

// share returns a specification like this one, shared if there was one lately.
func (s *specs) share(job *spec.Job) *spec.Job {
	if s.jobs == nil {
		s.jobs, s.stages, s.names = map[[16]byte]*spec.Job{}, map[[16]byte][]spec.Stage{}, map[string]string{}
	}
	key, ok := keyOf(job)
	if !ok {
		return job
	}
	if known := s.jobs[key]; known != nil {
		return known
	}
	own := *job
	own.Stages = s.shareStages(job.Stages)
	own.Name = s.name(own.Name)
	for _, text := range []*string{&own.Type, &own.Queue, &own.Output, &own.Origin} {
		*text = s.name(*text)
	}
	remember(s.jobs, key, &own)
	return &own
}

func (s *specs) shareStages(stages []spec.Stage) []spec.Stage {
	key, ok := keyOf(stages)
	if !ok {
		return stages
	}
	if known := s.stages[key]; known != nil {
		return known
	}
	remember(s.stages, key, stages)
	return stages
}

// name returns the text, shared if it was there lately.
func (s *specs) name(text string) string {
	if known, ok := s.names[text]; ok || text == "" {
		return known
	}
	remember(s.names, text, text)
	return text
}

func remember[K comparable, V any](known map[K]V, key K, value V) {
	if len(known) >= maxAlike {
		clear(known)
	}
	known[key] = value
}

// keyOf tells what is alike. Half of a SHA-256 is enough that nobody finds two
// that are not.
func keyOf(v any) (key [16]byte, ok bool) {
	body, err := subjects.Marshal(v)
	if err != nil || len(body) > maxShared {
		return key, false
	}
	sum := sha256.Sum256(body)
	return [16]byte(sum[:]), true
}
