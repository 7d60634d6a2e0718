// Package connect makes connections to NATS servers, with the options that every part of
// lull uses.
package connect
