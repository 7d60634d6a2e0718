// Package disk keeps a reserve of free space on the disk of a host's data folder.
//
//	monitor := disk.New(config)
//	go monitor.Run(ctx)
//	full := monitor.Full()     // no task may start
//
// While the reserve is touched the monitor reports the disk as full. Before that happens it finds
// the attempt that fills the disk, by the arithmetic of guard.Fill, and asks the host's actor to
// evict it. When an attempt has ended because the disk is full, Blame tells whether its own task is
// the cause: that end counts as a failure.
//
// Locks: the monitor's mu guards what it notes. No function of Config is called with it.
package disk
