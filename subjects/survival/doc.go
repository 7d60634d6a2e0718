// Package survival tells from a tenant's profile how likely a task is to stay on a host of
// it: the probability that the primary leaves the task room for as long as it runs.
//
//	model := survival.New(&tenant.Profile, &class.Profile)
//	p := model.Survives(now, recent, survival.Room(host.Cores, reserve, held), seconds)
//
// # How it is told
//
// The profile keeps the greatest usage of each half hour of the last 14 days. Each past day
// had a moment like this one, and either usage stayed within the room for as long as the task
// needs, or it did not. Days count by their age, by their level before that moment compared
// with the recent one, and more on the same day of the week.
//
// What the same time of few days cannot tell is shrunk towards what all times of these days
// say after a level like the recent one: a little for a periodic tenant, whose time of day
// matters, and more for others. Where the tenant itself has fewer than seven days, the answer
// is shrunk to its class's.
//
// A model is made once of a profile. A question takes some microseconds and no memory.
//
// The package is pure.
package survival
