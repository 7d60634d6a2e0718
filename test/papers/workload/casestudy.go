package workload

import "time"

// Length of the case study's trace (MIMP, section 6.6).
const Length = 150 * time.Minute

// Patience is how long after a job's deadline its client gives up and cancels it. The paper's 17
// failed jobs came of Hadoop's time-outs, without further detail; 600 s is the time after which
// Hadoop 1 gives up a silent task.
const Patience = 600 * time.Second

// sizes of the case study: 174 jobs as in the paper, which does not print their split over types.
// Ours keeps what it says: pi has the most jobs and tasks, k-means the fewest jobs; sort reads
// three times what grep does. The k-means jobs, some ten iterations over 6 GB each, are half of the
// work and fill what the others leave. So many tasks that EDF needs about 72 hours for them.
var sizes = []struct {
	name  string
	jobs  int
	tasks uint32
	due   bool
}{
	{"pi", 44, 60, true},
	{"grep-search", 30, 20, true},
	{"grep-sort", 30, 10, true},
	{"terasort", 26, 14, true},
	{"sort", 22, 140, true},
	{"wordcount", 18, 22, true},
	{"kmeans-class", 2, 340, false},
	{"kmeans-iter", 2, 340, false},
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
