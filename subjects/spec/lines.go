package spec

import "strings"

// Line says whether a line of an each file makes a task: blank ones and those
// that begin with '#' do not. It returns the parameter without the line end.
func Line(line string) (param string, ok bool) {
	param = strings.TrimRight(line, "\r\n")
	trimmed := strings.TrimSpace(param)
	return param, trimmed != "" && trimmed[0] != '#'
}
