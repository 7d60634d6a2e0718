package main

import (
	"bufio"
	"container/heap"
	"io"
)

// merging is a heap of sorted runs by the line that each is at.
type merging struct {
	runs []*bufio.Scanner
	by   order
}

// add takes a run in, unless it is empty.
func (h *merging) add(r io.Reader) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, bufferSize), longest)
	if s.Scan() {
		h.runs = append(h.runs, s)
	}
	return s.Err()
}

// next moves the foremost run on by a line, and drops it at its end.
func (h *merging) next() error {
	if s := h.runs[0]; !s.Scan() {
		heap.Pop(h)
		return s.Err()
	}
	heap.Fix(h, 0)
	return nil
}

func (h *merging) Len() int           { return len(h.runs) }
func (h *merging) Less(i, j int) bool { return h.by(h.runs[i].Bytes(), h.runs[j].Bytes()) < 0 }
func (h *merging) Swap(i, j int)      { h.runs[i], h.runs[j] = h.runs[j], h.runs[i] }
func (h *merging) Push(x any)         { h.runs = append(h.runs, x.(*bufio.Scanner)) }

// Pop removes the last run.
func (h *merging) Pop() any {
	last := h.runs[len(h.runs)-1]
	h.runs = h.runs[:len(h.runs)-1]
	return last
}
