// Package webpage draws the results of simulations as one self-contained HTML page, without scripts, fonts
// or links. The page can be read in light and dark mode, can be printed, and says how it was made.
//
//	err := webpage.Write(w, webpage.Report{Title: "…", Policies: policies})
//
// It knows nothing of simulations: callers pass it figures. It escapes every text that it gets.
package webpage
