// Package help arranges the help texts of lull: commands in groups, flags in sections, and
// topics of their own for words and for JSON output.
package help
