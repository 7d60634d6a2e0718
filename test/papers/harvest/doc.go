// Package harvest repeats tables of history-based harvesting (Zhang et al., OSDI 2016) in the
// simulator, with the slotter, hosts and classifier that services run.
//
// The paper's data centres and batch jobs are not public. What stands in for them is declared here:
// machines of Bitbrains' public trace are the servers of tenants (tenants.go, centre.go), and the
// DAGs of TPC-DS queries, with tasks derived from their bytes and seconds from TPC-H, are the jobs
// (queries.go). Classes are learnt from July, and jobs run in August: no decision sees the usage
// that is to come.
//
// Systems differ in where tasks go and in nothing else (systems.go): order of jobs, reserve,
// evictions and the draw of hosts are the same.
package harvest
