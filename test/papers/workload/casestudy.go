package workload

import "time"

// Length of the case study's trace (MIMP, section 6.6).
const Length = 150 * time.Minute

// Patience is how long after a job's deadline its client gives up and cancels
// it. The paper's 17 failed jobs came of Hadoop's time-outs, which it does not
// tell more of; 600 s is the time after which Hadoop 1 gives up a silent task.
const Patience = 600 * time.Second

// sizes of the case study: 174 jobs as in the paper, whose split over types it
// does not print. Ours gives pi the most tasks and k-means the least, as in
// figure 16, and is of a size that EDF needs about 72 hours of task time for.
var sizes = []struct {
	name  string
	jobs  int
	tasks uint32
	due   bool
}{
	{"pi", 44, 48, true},
	{"grep-search", 30, 48, true},
	{"grep-sort", 30, 24, true},
	{"terasort", 26, 32, true},
	{"wordcount", 18, 60, true},
	{"sort", 14, 72, true},
	{"kmeans-class", 6, 96, false},
	{"kmeans-iter", 6, 96, false},
}

// Streams are the case study's. A type's deadline is its mean inter-arrival;
// k-means jobs have none.
func Streams() []Stream {
	streams := make([]Stream, len(sizes))
	for i, s := range sizes {
		streams[i] = Stream{Type: s.name, Jobs: s.jobs, Tasks: s.tasks}
		if s.due {
			streams[i].Deadline = (Length / time.Duration(s.jobs)).Round(time.Second)
		}
	}
	return streams
}
