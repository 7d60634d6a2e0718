// Package plain makes texts harmless for terminals. Commands print texts of other users: what their
// tasks wrote, or why they cancelled a job. A terminal obeys control sequences in such a text, which may
// clear the screen, change its title, or write to the clipboard of the person at it.
//
//	w := plain.NewWriter(os.Stdout)
//	fmt.Fprintln(w, "\x1b[2Jgone")      // prints ^[[2Jgone
//
// Colours, line ends and tabs stay as they are.
package plain
