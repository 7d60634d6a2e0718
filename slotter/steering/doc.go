// Package steering selects the classes of tenants on whose hosts a job should run: class
// selection of history-based harvesting (Zhang et al., OSDI 2016, Algorithm 1).
//
// A long job is lost work when a primary's burst ends its tasks, so it belongs beside
// primaries that do not burst. A short one is over before the next burst, and can use what
// the unpredictable ones leave idle.
//
//	length := thresholds.Length(lastRun)            // short, medium or long
//	need   := steering.Need(job)                    // cores of the widest level of its stages
//	for each host:   class.Add(steering.Rooms(host, class))
//	picked := steering.Select(dst, classes, steering.Job{ID, length, need}, weights)
//
// The headroom of a class counts what its hosts leave at the usage that a job of that length must
// expect: the present for a short one, also the average for a medium one, also the peak for a long
// one. Of the classes with room for the whole job one is drawn, in proportion to headroom ×
// weight. If none has the room, classes are drawn until they have it together. If all of them
// together lack it, no class is selected: the job runs wherever the policy puts it. (In the paper
// the job waits.)
//
// Cores are counted in thousandths, so that sums do not depend on the order of hosts. The
// draw follows from the job's id alone. The package is pure.
package steering
