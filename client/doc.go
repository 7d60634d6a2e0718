// Package client is the Go API of lull, for programs outside a pool. lull's own commands use it.
//
//	c, err := client.Dial(ctx, "nats://127.0.0.1:4222", subjects.DefaultPool)
//	doc, err := spec.Parse(yaml)                    // a job's document
//	err = c.Expand(ctx, doc, folder)                // inputs on this file system
//	job, err := c.Submit(ctx, doc, client.NewID())  // acknowledged: it can't be lost
//	end, err := c.Watch(ctx, job, nil)              // until it has ended
//	why, err := c.Why(ctx, job)                     // why it ended so
//	files, err := c.Results(ctx, job)               // what it left
//	err = c.Fetch(ctx, files, folder)
//	err = c.Logs(ctx, job, client.LogQuery{}, os.Stdout)
//
// A client needs no service to look at a pool. It folds the log itself, by the same ledger, into a
// View, and answers from there: the state of jobs and hosts, the progress of a job (package
// progress), and the reasons in the log (package story). Package forecast describes what admission
// would decide about a job. A client writes only to the inbox, and an operator's client writes
// orders to hosts.
//
// Contexts bound each call. Errors are values to compare with errors.Is: ErrUnreachable, ErrNoJob,
// ErrSeveral, ErrForgotten, ErrNoStage, ErrNoAttempt, ErrNoHost, ErrHostUp, ErrNoAnswer,
// ErrNoVerdict, ErrRefused, and jetstream.ErrNoPool. Their texts say what to do.
package client
