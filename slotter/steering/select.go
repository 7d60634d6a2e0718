package steering

import "slices"

// Job is what the selection asks of a job.
type Job struct {
	ID     string
	Length Length
	Need   Cores
}

// Select appends the indexes of the selected classes to dst, in their order (Algorithm 1 of
// the paper). Nothing is appended when all classes together have no room for the job. It takes
// no memory if dst has room for all classes.
func Select(dst []int, classes []Class, job Job, weights Weights) []int {
	s := selection{classes: classes, job: job, weights: weights, draw: drawFor(job.ID)}
	if one := s.pick(nil, job.Need); one >= 0 {
		return append(dst, one)
	}
	from, room := len(dst), Cores(0)
	for room < job.Need {
		next := s.pick(dst[from:], 1)
		if next < 0 {
			return dst[:from]
		}
		dst = append(dst, next)
		room += classes[next].Headroom(job.Length)
	}
	slices.Sort(dst[from:])
	return dst
}

type selection struct {
	classes []Class
	job     Job
	weights Weights
	draw    draw
}

// pick draws one of the classes with at least so much headroom that are not in without, in
// proportion to headroom × weight. It returns -1 if there is none.
func (s *selection) pick(without []int, least Cores) int {
	total := uint64(0)
	for i := range s.classes {
		total += s.chance(i, without, least)
	}
	if total == 0 {
		return -1
	}
	at := s.draw.below(total)
	for i := range s.classes {
		chance := s.chance(i, without, least)
		if at < chance {
			return i
		}
		at -= chance
	}
	return -1
}

// chance is the weighted headroom of a class, 0 if it may not be drawn.
func (s *selection) chance(i int, without []int, least Cores) uint64 {
	c := &s.classes[i]
	headroom := c.Headroom(s.job.Length)
	if headroom < max(least, 1) || slices.Contains(without, i) {
		return 0
	}
	return uint64(headroom) * uint64(s.weights.Of(s.job.Length, c.Pattern))
}
