// Package store keeps on a host's disk what its attempts write: scratch folders while they run,
// outputs with a manifest when they are committed, logs, and checkpoints that survive an eviction.
//
//	<root>/agent.lock
//	<root>/log                              creation time of the log that the attempts are of
//	<root>/slot-<n>/                        the slot's shim
//	<root>/attempts/<id>                    symbolic link to the attempt's folder
//	<root>/jobs/<job>/<stage>/<task>/
//		checkpoint/                     of the task, across attempts
//		attempt-<id>/
//			out/                    what the task leaves behind
//			work/                   working folder, gone with the attempt
//			in/                     outputs of earlier stages, gone with the attempt
//			stdout, stderr          made with their first byte, bounded
//			manifest                names, sizes, modes and SHA-256 of out/, links, empty folders
//	<root>/inherited/<id>-<stage>/          in/<stage> of an attempt that ended, for the next reader
//	<root>/jobs/<job>/damaged/attempt-<id>/ set aside: its bytes are not those that were committed
//
// A million tasks that write nothing leave nothing: empty folders go with the
// attempt. The link in attempts/ is what finds a kept attempt after a restart,
// without a scan and without memory.
//
// An attempt's id names one attempt of one log. Attempts of another log are set aside, and
// the link of an id is replaced if the id is given out again.
//
// An output counts only with its manifest, which is written last. Before Commit returns, all of it
// is on the disk, not only in the page cache, because the log that names it survives a power cut.
package store
