// Package plain makes texts harmless for terminals. Commands print texts of others: what their
// tasks wrote, why they cancelled a job. A terminal obeys the control sequences in such a text: it
// clears the screen, changes its title, or writes to the clipboard of the person at it.
//
//	w := plain.NewWriter(os.Stdout)
//	fmt.Fprintln(w, "\x1b[2Jgone")      // prints ^[[2Jgone
//
// Colours, line ends and tabs stay as they are.
package plain
