// Package client is what lull's commands do to a pool from outside: submit
// jobs, ask for changes to them, read the log, fetch outputs and logs.
//
//	c, err := client.Open(ctx, conn, pool)
//	err = c.Expand(ctx, doc, folder)       // inputs on this file system
//	job, err := c.Submit(ctx, doc, id)         // acknowledged: it can't be lost
//	view, err := c.View(ctx)                   // what the log means now
//	err = view.Until(ctx, func() bool { … })   // and from here on
//
// A client needs no service to look at a pool: it folds the log itself, by the
// same ledger. It writes only to the inbox, and an operator's client what
// operators say of hosts.
package client
