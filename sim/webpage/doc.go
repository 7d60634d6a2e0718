// Package webpage draws what simulations came to as one HTML page that stands
// alone: no script, no font, no address in it. It reads in light and dark,
// prints, and says how it was made.
//
//	err := webpage.Write(w, webpage.Report{Title: "…", Policies: policies})
//
// It knows nothing of simulations: callers hand it figures, and every text it
// is handed is escaped.
package webpage
