// Package reads measures what a task reads per second, for the I/O model of
// data nodes (MIMP, equation 5: its ninetieth percentile).
//
// Once a second, the bytes that all processes of a task read so far are summed:
//
//	var s reads.Series
//	s.Begin(time.Now())                    // the task starts, and has read nothing
//	for range tick {
//		if total, ok := reads.Total(root, pids, shim); ok {
//			s.Add(time.Now(), total)
//		}
//	}
//	rate := s.Percentile90()
//
// What counts is rchar of /proc/<pid>/io: all that read(2) and similar calls returned, from a disk,
// a file server, the page cache or a pipe. So a pipeline counts what it passes on, and mapped files
// do not count. The kernel adds a process's bytes to its parent's when the parent waits for it. The
// sum falls only by processes that no process of the task waits for.
package reads
