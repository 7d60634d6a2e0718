// Command primary is a primary tenant with a known load: a server that answers short requests on
// every core and uses a given share of the machine.
//
//	primary SEED < levels
//
// Each line of its standard input is a share of all cores, 0 to 1, which it uses from then on. The
// end of the input ends it, so that it never outlives its driver. The load fluctuates around the
// share as a web server's does, within fractions of a second, and keeps it on average over a few
// seconds.
package main
