// Package contain keeps a task within bounds that cgroups do not draw: where it may write, what it
// may read of the agent's, what it may signal, and whose rights it has.
//
//	mode, err := contain.ParseMode("full")
//	user, err := account.FindUser("nobody")     // who tasks run as, if we are root
//	hidden := contain.Hide(paths)               // kept from task to task
//	fence, err := contain.Fence(abi, contain.Access{Write: folders, Read: own, Hidden: hidden}) // a descriptor
//	err = contain.Restrict(fence)               // this thread and what it forks, for good
//
// The fence is a Landlock ruleset. Landlock, like no_new_privs, binds a thread and what it starts,
// and is never taken back. So a program that forks tasks restricts a thread that it throws away
// afterwards.
//
// Reading is free, as far as the task's user may, except of what is hidden: the agent's data folder, in
// which other tasks' files are too, and its keys. What a job reads (inputs, programs, libraries) is not known
// beforehand, so the fence allows all that lies beside the hidden paths.
package contain
