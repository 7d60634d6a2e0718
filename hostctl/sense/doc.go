// Package sense measures once per host how long the primary waits because of batch work, for all users of
// that measurement. The monitor publishes it, the guard acts on it, and the process that moves the
// primary's waiting threads reads single CPUs from it.
package sense
