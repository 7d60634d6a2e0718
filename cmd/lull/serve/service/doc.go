// Package service wires the actors and the host to their buses: each constructor returns a
// Service, and a Group runs several until one stops them all.
package service
