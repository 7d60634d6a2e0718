package subjects

import (
	"fmt"
	"strings"
)

// maxToken bounds one token of a subject, in bytes. Long names make long
// subjects, and every subject is kept in the server's memory.
const maxToken = 160

// CheckToken returns an error that names what, unless token can stand between two dots of a
// subject. It must not be empty, over 160 bytes, or contain a dot, a wildcard, white space or a
// control character. It must not begin with '$', which the server reserves.
func CheckToken(what, token string) error {
	switch {
	case token == "":
		return fmt.Errorf("%s is empty: give it a name", what)
	case len(token) > maxToken:
		return fmt.Errorf("%s is %d bytes long: at most %d are allowed", what, len(token), maxToken)
	case token[0] == '$':
		return fmt.Errorf("%s %q begins with '$': names with '$' belong to the server", what, token)
	}
	for _, r := range token {
		if !tokenRune(r) {
			return fmt.Errorf("%s %q holds %q: use letters, digits, '-' and '_'", what, token, r)
		}
	}
	return nil
}

func tokenRune(r rune) bool {
	return r > ' ' && r != 0x7f && r != '.' && r != '*' && r != '>' && r != '/' && r != '\\' && r < 0x80
}

// Token makes a token of any name: what a subject cannot hold becomes '-'.
// It is for names that come from outside, such as a machine's host name.
func Token(name string) string {
	name = strings.Map(func(r rune) rune {
		if tokenRune(r) && r != '$' {
			return r
		}
		return '-'
	}, name)
	if len(name) > maxToken {
		name = name[:maxToken]
	}
	if name == "" {
		return "-"
	}
	return name
}
