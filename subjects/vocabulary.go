package subjects

import (
	"fmt"

	"lull/subjects/wire"
)

// Vocabulary is the set of kinds of events that one log holds. Each log has one; the runtime
// of actors works on any.
type Vocabulary struct {
	kinds []kind
	index map[[2]string]kind // by the first token and the verb of a subject
}

func vocabulary(kinds []kind) *Vocabulary {
	v := &Vocabulary{kinds: kinds, index: make(map[[2]string]kind, len(kinds))}
	for _, k := range kinds {
		v.index[[2]string{k.about, k.verb}] = k
	}
	return v
}

// Encode is Ledger.Encode.
func Encode(p Pool, e Event) (Message, error) { return Ledger.Encode(p, e) }

// Decode is Ledger.Decode.
func Decode(p Pool, subject string, body []byte) (Event, error) {
	return Ledger.Decode(p, subject, body)
}

// Encode returns the message that says e in the log of p. It refuses what
// Decode would refuse: kinds that are not of the vocabulary, tokens that no subject can hold,
// values out of bounds. Texts of e that are longer than MaxText are shortened, in e too.
func (v *Vocabulary) Encode(p Pool, e Event) (Message, error) {
	tokens := e.route()
	if err := checkTokens(tokens); err != nil {
		return Message{}, fmt.Errorf("encode %T: %w", e, err)
	}
	k, ok := v.kindOf(tokens)
	if !ok {
		return Message{}, fmt.Errorf("encode %T: %w", e, ErrUnknownKind)
	}
	if err := check(e); err != nil {
		return Message{}, fmt.Errorf("encode %s: %w", Kind(e), err)
	}
	shorten(e)
	body, err := wire.Marshal(e)
	if err != nil {
		return Message{}, err
	}
	return Message{Subject: p.subject(tokens...), Body: body, Optional: k.optional}, nil
}

// Decode returns the event that a message of the log says. Unknown fields are
// ignored. The errors are ErrUnknownKind for a subject that is none of p's
// kinds, and others for bytes or values that cannot be.
func (v *Vocabulary) Decode(p Pool, subject string, body []byte) (Event, error) {
	t, ok := splitSubject(p, subject)
	if !ok {
		return nil, fmt.Errorf("%w: subject %q", ErrUnknownKind, subject)
	}
	k, ok := v.kind(&t)
	if !ok {
		return nil, fmt.Errorf("%w: subject %q", ErrUnknownKind, subject)
	}
	if err := checkTokens(t.list()); err != nil {
		return nil, fmt.Errorf("decode subject %q: %w", subject, err)
	}
	e := k.make()
	if err := wire.Unmarshal(body, e); err != nil {
		return nil, err
	}
	e.fill(t.list())
	shorten(e)
	if err := check(e); err != nil {
		return nil, fmt.Errorf("decode %T: %w", e, err)
	}
	return e, nil
}

// Makers returns a function for each kind that makes an empty event of it.
func (v *Vocabulary) Makers() (all []func() Event) {
	for _, k := range v.kinds {
		all = append(all, k.make)
	}
	return all
}
