// Package page draws what simulations came to as one HTML page that stands
// alone: no script, no font, no address in it. It reads in light and dark,
// prints, and says how it was made.
//
//	err := page.Write(w, page.Report{Title: "…", Policies: policies})
//
// It knows nothing of simulations: callers hand it figures, and every text it
// is handed is escaped.
package page
