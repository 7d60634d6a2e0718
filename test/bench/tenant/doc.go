// Command tenant has the programs of the interference benchmark: a latency-critical server, its
// simulated users, and batch work.
//
//	tenant serve -kind KIND    an HTTP server with about a millisecond of CPU a request
//	tenant load ADDRESS        open-loop users of it, as ordered
//	tenant batch KIND FILE     batch work until FILE exists: pi, memory, words or fork
//	tenant spread PERIOD PID…  move these processes' threads off each other's cores
//
// Flags before the verb put the process where it shall run: -join lists cgroup folders, with colons
// between, -nice is its priority, -core its only core. All programs end with their session or their
// input, so that none outlives its driver.
//
// A server of kind go is an ordinary Go server. One of kind workers has a thread a core and nothing
// else, as an event-driven server in C; pinned ties each of these to its core. The server prints
// its address. A request is a fixed number of instructions, which took 0.9 ms when the server
// started: so its CPU time shows whether batch work slows the hardware down.
//
// load reads orders, a line of JSON each (Order), and answers each with a line (Result). Requests
// leave at times that the order's seed fixes, whether or not earlier ones were answered. Latency
// counts from the time at which a request should have left: a server that stalls is charged for all
// requests that it delayed (the "coordinated omission" that a closed loop hides).
package main
