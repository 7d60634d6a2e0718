// Package sum hashes files in a process of the background.
//
// An output can be as large as the disk, and one with holes larger. At the agent's own weight its
// hash would take a core from the primary for as long as that lasts. A thread of the agent cannot
// go into the background for it. While the primary kept that thread from running, all others would
// wait for it at the next garbage collection.
//
//	p, err := sum.Start(ctx, sum.Config{Command: …, In: tree.Background()})
//	size, hash, err := p.Sum(file)
//	p.Close()
//
// The process starts another one there (relay). That one reads a line for each file (the path of
// the agent's descriptor in /proc) and answers with a line. Both end when their input ends, so they
// do not outlive an agent that is killed.
package sum
