// Package environ makes the environment of a task.
//
//	env := environ.Of(environ.Task{…})
//
// # What a task sees
//
//	LULL_JOB, LULL_STAGE     id of the job, name of the stage
//	LULL_TASK, LULL_TASKS    index of the task from 0, number of tasks
//	LULL_LABEL               what people call the task by: its file, its line of
//	                         `each:`, its combination, or its partition
//	LULL_ATTEMPT             1 for the first attempt of the task, and so on
//	LULL_ATTEMPT_ID          number that no other attempt has
//	LULL_OUT                 folder: what is left in it at exit 0 is the output
//	LULL_CHECKPOINT          folder that survives eviction, on this host
//	LULL_INPUT               folder with the outputs of earlier stages, as
//	                         <stage>/<task, 5 digits>/<file>, not to be changed
//	LULL_INPUT_LIST          file that lists all input paths, one a line
//	LULL_INPUT_OFFSET, LULL_INPUT_LENGTH   bytes of the file that are the
//	                         task's, if its split is a piece of one file
//	LULL_FILES               folder with a copy of the files sent along with the job: TMPDIR
//	LULL_PARAM               the task's line of `each:`
//	LULL_PARTITIONS          how many files part-<p> the task is to write
//	LULL_PARTITION           which one it reads
//	LULL_PROGRESS            file to which it may write, a number a line, how many
//	                         bytes or items are done: it is paced by that then
//	LULL_STOP_REASON         file that says why the task is to end, before it gets a
//	                         signal: cancel, timeout, eviction or drain
//	TRACEPARENT              W3C trace context of the job
//	PATH                     DefaultPath, or what --task-path of the agent says: the
//	                         same on all hosts, whatever shell started the agent
//	LANG                     that of the agent
//	USER, LOGNAME            the name of the task's user, or its number if it has none
//	SHELL                    /bin/sh
//	OMP_NUM_THREADS, OPENBLAS_NUM_THREADS, MKL_NUM_THREADS, GOMAXPROCS
//	                         the task's cores, rounded up
//	TMPDIR                   the attempt's own folder, gone with it, by a path that is
//	                         short enough for sockets
//	HOME                     the agent's, or TMPDIR if tasks run as another user
//
// and the stage's own environment, which wins. Nothing else is inherited.
// Standard input is the task's split, or the files of the earlier stages one
// after the other in the order of tasks, or /dev/null. The working folder is
// one of its own, gone with the attempt, unless the stage names another. It holds
// what `files:` sends along, and nothing else.
package environ
