// Package trace reads people's records of their servers and jobs, as streams of plain or gzipped
// CSV, and makes what package sim replays.
//
//	pool, err := trace.Hosts(usage, "usage.csv", trace.HostOptions{Cores: 8})
//	jobs, err := trace.Jobs(list, "jobs.csv", trace.JobOptions{Begin: pool.Begin})
//	result, err := sim.Run(ctx, sim.Scenario{Hosts: pool.Hosts, Jobs: jobs.Jobs, Types: jobs.Types})
//
// # Usage of hosts
//
// Wide: a row a host, a column a sample. The header of a column is its time in seconds:
//
//	series_id,cores,0,300,600
//	web-1,8,12.5,13,
//
// Long, a row a sample, in any order:
//
//	series_id,t_seconds,cpu_pct
//	web-1,0,12.5
//
// Values are percent of the whole host. The columns cores and memory_mb may
// stand in either.
//
// # Jobs
//
// Our own form, its columns in any order, the first three needed:
//
//	submit_s,tasks,task_seconds,name,type,deadline_s,memory_mb,cores,input_bytes,source,queue
//
// And the SWIM traces of Hadoop clusters, recognised by their header, with the
// rule from bytes to tasks that type Swim documents.
//
// # Bad rows
//
// Readers are strict: a row that is wrong is an Error that names file, line,
// column and remedy. All rows are looked at before it is returned, so that one
// run shows the first ten of them. Nothing from a file makes a reader panic or
// hold more than the samples, tasks and line lengths that are bounded here.
package trace
