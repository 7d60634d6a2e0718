// Package placing repeats the figures of TARA (Lee, Tolia, Ranganathan and Katz, "Topology-Aware Resource
// Allocation for Data-Intensive Workloads", APSys 2010) with package placer.
//
// Seconds are what the predictor says. Beside them stand the seconds of the simulator, and of package
// twin, which simulates every request.
// The same seeds give the same figures on any machine; where a table also shows seconds of this
// machine, no check rests on them.
package placing
