// Package publish puts a job's committed outputs into the folder that the job
// names, as <output>/<stage>/<task, 5 digits>/<file>.
//
// Readers of the output see whole runs only. New folders are built aside, and one rename
// each exchanges them with the old ones:
//
//	<output>/.lull-<job>-<attempt>/new/<stage>/…    mode 0700, locked by its attempt
//	<output>/.lull-<job>-<attempt>/old/<stage>/…    only where a file system cannot exchange
//	<output>/<stage>/.lull                          says which job wrote the folder
//	<output>/<stage>.previous/…                     what another job had published before
//
// Users who may rename in the output folder can replace anything in it at any time. So
// each step is relative to a descriptor, follows no symbolic link, and creates only files
// and folders that were not there. Folders that lull did not write are never replaced.
package publish
