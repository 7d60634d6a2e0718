package spec

import "strings"

// BOM is the byte order mark with which some editors begin a text. It is no part of the first line.
const BOM = "\ufeff"

// Line returns the parameter that a line of an each file is: all of it but its end, \n or \r\n. Every line makes
// a task, also a blank one and one that begins with #.
func Line(line string) (param string) {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}
