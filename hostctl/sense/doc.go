// Package sense measures what a host's primary suffers from batch work, once for all on the
// host that want to know: its monitor publishes it, its guard acts on it, and the process that
// moves the primary's waiting threads sees single CPUs by it.
package sense
