package subjects

import (
	"errors"
	"strings"
)

// ErrUnknownKind says that a subject is no kind of event that this version
// has. A fold must not pass over it, unless it is marked (Message.Optional): a newer
// version may have written it.
var ErrUnknownKind = errors.New("unknown kind of event")

// checkTokens checks what stands at the places of names; verbs need no check,
// but checking them costs less than telling them apart.
func checkTokens(tokens []string) error {
	for i, token := range tokens[1:] {
		if tokenPlain(token) {
			continue
		}
		what := tokens[0] // job.<job>, host.<host>, model.<type>
		if i == 2 {
			what = "job"
		}
		if err := CheckToken(what, token); err != nil {
			return err
		}
	}
	return nil
}

// tokenPlain is the fast yes for the usual names.
func tokenPlain(token string) bool {
	if token == "" || len(token) > maxToken {
		return false
	}
	for i := range len(token) {
		c := token[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// tokens are what follows the pool in a subject: two to four.
type tokens struct {
	at [4]string
	n  int
}

func (t *tokens) list() []string { return t.at[:t.n] }

// splitSubject cuts a subject of p into its tokens, without allocating.
func splitSubject(p Pool, subject string) (t tokens, ok bool) {
	rest, ok := strings.CutPrefix(subject, prefix)
	if !ok {
		return t, false
	}
	rest, ok = strings.CutPrefix(rest, string(p))
	for ok && t.n < len(t.at) {
		if rest, ok = strings.CutPrefix(rest, "."); !ok {
			return t, false
		}
		end := strings.IndexByte(rest, '.')
		if end < 0 {
			end = len(rest)
		}
		t.at[t.n], rest = rest[:end], rest[end:]
		t.n++
		if rest == "" {
			return t, true
		}
	}
	return t, false
}
