// Package plain makes texts harmless for terminals. What commands print quotes others: what
// their tasks wrote, why they cancelled a job. A terminal obeys what such a text holds: it
// clears the screen, changes its title, or writes to the clipboard of the person who looks.
//
//	w := plain.NewWriter(os.Stdout)
//	fmt.Fprintln(w, "\x1b[2Jgone")      // prints ^[[2Jgone
//
// Colours, line ends and tabs stay as they are.
package plain
