// Package survival estimates from a tenant's profile how likely a task is to stay on a host of it.
// That is the probability that the primary leaves the task room for as long as it runs.
//
//	model := survival.New(&tenant.Profile, &class.Profile)
//	p := model.Survives(now, recent, survival.Room(host.Cores, reserve, held), seconds)
//
// # The estimate
//
// The profile keeps the greatest usage of each half hour of the last 14 days. Each past day had a
// moment like this one. Either usage stayed within the room for as long as the task needs, or it
// did not. Days are weighted by their age, and by their level before that moment compared with the
// recent one. The same day of the week counts more.
//
// Few days give a poor estimate, so it is shrunk towards that of all times of these days after a
// level like the recent one. It is shrunk a little for a periodic tenant, whose time of day
// matters, and more for others. A tenant with fewer than seven days is shrunk to its class's
// estimate.
//
// A model is made once of a profile. A query takes some microseconds and no memory.
//
// The package is pure.
package survival
