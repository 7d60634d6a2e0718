// Command work has the task programs for the training of completion-time models: the job types of
// MIMP's Table 2. Each is small, and does its real work on its split of real text or generated
// records.
//
//	work pi POINTS              π by quasi-random points in a square
//	work wordcount              how often each word occurs
//	work sort                   the lines in order, by runs spilt to disk
//	work terasort               100-byte records by their keys, in ranges
//	work range-map              such records dealt to ranges of keys, for other tasks
//	work range-sort             the records of a range in order
//	work kmeans-iter CENTRES    the next centres of points
//	work kmeans-class CENTRES   the nearest centre of each point
//	work grep-search PATTERN    how often each match of a pattern occurs
//	work grep-sort              counted matches, the most frequent first
//	work join KEYS              how often each word of a file occurs, by hash join
//
// A task reads its split from standard input, spills into its working folder
// and leaves its result in $LULL_OUT, synced. Three more verbs serve the bench:
//
//	work prepare FOLDER         write the inputs: text, matches, records, points, centres
//	work records N              N records of 100 bytes
//	work fill FILE              use the CPU until FILE exists
package main
