// Package fault keeps what is known of failed attempts, and says why a job failed in
// words that a user can act on.
//
// The slotter notes the last Fault of each live job. When one of the job's tasks has used
// up its retries, Explain makes the code and the text of the job's end from it.
package fault
