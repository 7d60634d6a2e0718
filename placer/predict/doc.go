// Package predict answers "what if": how long would a job take on these hosts?
//
//	p, err := predict.New(app, snapshot)
//	r := p.Predict(candidate) // thousands of times
//	fmt.Println(r.Seconds, r.Harvested)
//
// It simulates what lull does. Tasks take slots in the slotter's order: the slot with the best residual
// first, in turn among equal ones (see place.go). A stage begins after the last task of each stage
// that it reads. A task fetches what other hosts keep before it runs, up to 8 requests at once and
// 32 on its host; requests share NICs and uplinks max–min fair. Then it runs for the seconds that its
// curve gives at the residual of its slot, and no faster than the disk, which busy slots share. Its
// output stays on its host.
//
// Two ideas make it fast enough to be asked thousands of times.
//
// Groups. Adjacent hosts that are equal and have had equal tasks until now are one group, and their tasks that
// started together one cohort. A group splits where its hosts begin to differ: when the last
// tasks of a stage are fewer than its hosts. So grouping is exact; at worst each host is its own group.
//
// Bundles. A task with more requests than it may make at once takes turns between its sources, each
// task in an order of its own. Its requests then gather at the slowest sources, until it draws
// from all in proportion to what they have for it. So its fetch is one flow that loads many
// links in fixed proportions. Bundles that end within half a percent of their time end together. These
// are the approximations; a task with few requests has a flow for each source, exactly.
//
// Everything here is pure. A Predictor keeps its room: once grown, Predict does not allocate.
package predict
