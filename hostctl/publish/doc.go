// Package publish puts a job's committed outputs into the folder that the job
// names, as <output>/<stage>/<task, 5 digits>/<file>.
//
// It is a program of its own (Main), which an agent runs as it runs tasks: in
// their class, as their user, and behind a fence around the output folder. It
// is told what to write on its standard input: a Plan, and then the files' bytes
// one after the other. So it can read no more of the store than that.
//
// People see whole runs only. New folders are built aside and exchanged with those that
// stand there by one rename each:
//
//	<output>/.lull-<job>-<attempt>/new/<stage>/…    mode 0700, locked by its attempt
//	<output>/.lull-<job>-<attempt>/old/<stage>/…    only where a file system cannot exchange
//	<output>/<stage>/.lull                          says which job wrote the folder
//
// Whoever may rename in the output folder can replace anything in it at any time.
// So each step is relative to a descriptor, follows no symbolic link, and creates
// only what was not there. Folders that lull did not write are never replaced.
package publish
