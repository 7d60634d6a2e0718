// Package flags holds the flags of commands that run services, and turns them into the
// configurations of the services.
package flags
