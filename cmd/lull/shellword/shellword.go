// Package shellword quotes text for command lines that people copy into a shell.
package shellword

import "strings"

// plain are the bytes that no shell treats in a special way. A first word with = would be an assignment, unless it
// begins with a dash.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:@%+"

// Of returns one word for a shell that stands for any text.
func Of(text string) string {
	bytes := plain
	if strings.HasPrefix(text, "-") {
		bytes += "="
	}
	if text != "" && strings.Trim(text, bytes) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
