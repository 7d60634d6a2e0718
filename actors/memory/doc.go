// Package memory is an actors.Bus in memory: for tests of services, with
// everything JetStream does that a shell can notice.
package memory
