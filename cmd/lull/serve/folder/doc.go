// Package folder is the data folder of lull on one machine: where it lies, which process owns it,
// and how a second process finds the owner.
//
//	<data>/lock       held by the owner, for as long as it lives
//	<data>/endpoint   how to reach it, while it runs: JSON, mode 0600
//	<data>/jetstream  the embedded server's store
//	<data>/agent      what the host controller keeps: shims, outputs, logs
//
// The lock decides, not the file: the kernel gives a lock back when its holder
// dies, a file stays behind.
package folder
