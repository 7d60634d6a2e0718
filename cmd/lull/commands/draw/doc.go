// Package draw shows the progress of jobs on a terminal: a few lines that are redrawn.
//
// Render and Board make text of views, and are pure. Painter alone knows the terminal: it
// redraws the lines in place, takes no screen over, and gives the cursor back.
package draw
