// Command tenant is what the interference benchmark runs beside each other: a
// latency-critical server, the users who load it, and batch work.
//
//	tenant serve -kind KIND    an HTTP server with about a millisecond of CPU a request
//	tenant load ADDRESS        open-loop users of it, as ordered
//	tenant batch KIND FILE     batch work until FILE exists: pi, memory, words or fork
//	tenant spread PERIOD PID…  move these processes' threads off each other's cores
//
// Flags before the verb put the process where it shall run: -join lists cgroup
// folders, with colons between, -nice is its priority, -core its only core. All leave a
// session's end or the end of their input as the sign to end, so that none
// outlives whoever drives it.
//
// A server of kind go is one of Go's, as they are; of kind workers it has a
// thread a core and nothing else, as an event-driven server in C; pinned ties
// each of these to its core. It prints its address. A request is a fixed number of instructions, which
// took 0.9 ms when the server started: so its CPU time tells whether batch work
// slows the hardware down.
//
// load reads orders, a line of JSON each (Order), and answers each with a line
// (Result). Requests leave at times that the order's seed fixes, whether or not
// earlier ones were answered, and latency counts from the time a request should
// have left: a server that stalls is charged for all whom it kept waiting
// (the "coordinated omission" that a closed loop hides).
package main
