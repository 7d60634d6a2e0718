// Package progress shows how a job is getting on: a few lines that are redrawn
// on a terminal, a plain line now and then elsewhere, and a summary at the end.
//
// Of makes a View of a job from the ledger, Render, Line and Summary make text
// of a View. All four are pure. Painter alone knows the terminal: it redraws
// the lines in place, takes no screen over, and gives the cursor back.
package progress
