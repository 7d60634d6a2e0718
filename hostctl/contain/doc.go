// Package contain keeps a task within bounds that cgroups do not draw: where it may write, what it
// may signal, and whose rights it has.
//
//	mode, err := contain.ParseMode("full")
//	user, err := account.FindUser("nobody")     // who tasks run as, if we are root
//	fence, err := contain.Fence(abi, folders)   // a descriptor
//	err = contain.Restrict(fence)               // this thread and what it forks, for good
//
// The fence is a Landlock ruleset. Landlock, like no_new_privs, binds a thread and what it starts,
// and is never taken back. So a program that forks tasks restricts a thread that it throws away
// afterwards.
//
// Reading is free everywhere, as far as the task's user may: what a job reads (inputs, programs,
// libraries) is not known beforehand. Writing is what endangers the host and other tasks.
package contain
