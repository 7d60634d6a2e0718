// Package truth holds the true task times of the experiments: how long each type's tasks take at a
// residual, and what a service with earlier training knows of that.
//
// There are two sets of curves. Declared ones are a formula with one parameter a type, ordered as
// MIMP's figure 6 and section 6.6 order its job types: pi and grep's search are slowed most by load,
// sort hardly. Measured ones come from real programs on a real kernel, through `go run ./test/bench
// tct`.
//
// Services never see a truth. They see models fitted to samples of it, as
// noisy as tasks are: see Train.
package truth
