// Package inputs gathers what a task reads, before the task starts.
//
//	g := inputs.New(config)
//	doc, err := g.Job(ctx, task)              // the job's document, from a cache
//	split, err := g.Split(ctx, stage, number) // the task's part of the job's own input
//	in, err := g.Input(ctx, attempt, split.Ranges)
//
// Ranges of URLs are downloaded. Outputs of earlier stages are linked from this host's store, or
// fetched from the hosts that keep them and compared with their manifests.
//
// Errors of type refusal.Error say whether a task failed for its input or was declined by this
// host; others come from this host's disk.
//
// The package has no lock besides those of its caches, which are leaves.
package inputs
