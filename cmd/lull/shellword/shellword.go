// Package shellword quotes text for command lines that people copy into a shell.
package shellword

import "strings"

// plain are the bytes that no shell treats in a special way. A first word with = would be an assignment.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:@%+"

// Of returns one word for a shell that stands for any text.
func Of(text string) string {
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
