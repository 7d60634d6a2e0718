// Package story explains in prose how a job fared, from the decisions in the log. It is pure: the
// same history gives the same text.
package story
