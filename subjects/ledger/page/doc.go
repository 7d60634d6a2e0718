// Package page lists what a pool's fold holds, in answers that fit a message: jobs, hosts, models,
// queues and tenants page by page, and one job in full. Services answer clients with it, and a
// client that no service answers folds the log and asks its own fold.
package page
