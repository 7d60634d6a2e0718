// Package story tells in prose why a job fared as it did, from the decisions
// in the log. It is pure: the same history gives the same text.
package story
