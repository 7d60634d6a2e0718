// Package workload declares the clusters and the job traces of the papers'
// experiments: hosts with their primary tenants' loads, and jobs that arrive
// at random. All chance comes from a generator that is passed in, seeded by
// (seed, purpose), so that every policy meets the same scenario.
package workload
