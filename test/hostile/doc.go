// Package hostile runs tasks that do harm, on purpose or by mistake, through a real agent with real
// shims and cgroups: a fork bomb, one that takes all memory, one that thrashes the caches, hoards
// descriptors, ignores signals, fills the disk.
//
//	go test -v ./test/hostile
//
// Each must end with nothing of it left, soon even beside a primary that wants every core. A small
// primary beside it must stay within a band of what it was alone in the same second, while the task
// runs and while it is ended. The band is wide, for machines that do other things too; the test
// prints what it saw.
package hostile
