// Package progress describes how far a job is: Of makes a View of it from the ledger, Line and
// Summary make text of a View. All are pure.
package progress
