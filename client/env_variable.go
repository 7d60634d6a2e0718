package client

import (
	"errors"
	"fmt"
	"strings"
)

// nextVariable reads the first line of a text of variables, and returns what is left. name is "" for an empty line
// and for one that begins with #.
//
// A line is NAME=value, and `export` may stand before it. What follows a blank and # is a comment. A value in quotes
// is all that is between them, also blanks, # and line ends. Nothing is substituted. These are the rules of
// Docker Compose: https://github.com/docker/compose/issues/9879
func nextVariable(text string) (name, value, left string, err error) {
	line, left, _ := strings.Cut(text, "\n")
	trimmed := strings.TrimSpace(line)
	if trimmed == "" || strings.HasPrefix(trimmed, "#") {
		return "", "", left, nil
	}
	name, value, ok := strings.Cut(line, "=")
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "export "))
	if !ok || name == "" || strings.ContainsAny(name, " \t") {
		return "", "", "", errors.New("is not a variable: write NAME=value")
	}
	if from := strings.TrimLeft(text[strings.IndexByte(text, '=')+1:], " \t"); from != "" && strings.IndexByte(`"'`, from[0]) >= 0 {
		value, left, err = quoted(from)
		return name, value, left, err
	}
	return name, strings.TrimSpace(beforeComment(value)), left, nil
}

// quoted reads a value that begins with its quote, and the rest of the line on which the quote is closed.
func quoted(text string) (value, left string, err error) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			after, left, _ := strings.Cut(text[i+1:], "\n")
			if strings.TrimSpace(beforeComment(after)) != "" {
				return "", "", fmt.Errorf("has %q behind the value's closing quote: put all of the value into one pair of quotes", strings.TrimSpace(after))
			}
			return b.String(), left, nil
		case c == '\\' && text[0] == '"' && i+1 < len(text):
			i++
			b.WriteString(escaped(text[i]))
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("has a quote %c that is not closed", text[0])
}

// escaped returns what a backslash and the byte behind it stand for between double quotes.
func escaped(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case '"', '\\', '$', '\'', '`':
		return string([]byte{c})
	}
	return string([]byte{'\\', c})
}

// beforeComment cuts off what follows a blank and #.
func beforeComment(text string) string {
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && (text[i-1] == ' ' || text[i-1] == '\t') {
			return text[:i]
		}
	}
	return text
}
