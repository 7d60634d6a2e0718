package subjects

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"lull/subjects/wire"
)

// DecodeRequest reads the body of a message on Pool.Request: a JSON object, or a msgpack map. It
// refuses unknown fields, so that a client learns of a misspelt one.
func DecodeRequest(body []byte) (Request, error) {
	text := bytes.TrimSpace(body)
	if len(text) == 0 {
		return Request{}, errors.New(`the request is empty: send {"job":"<id>"}`)
	}
	if text[0] != '{' {
		var err error
		if text, err = wire.ToJSON(body); err != nil {
			return Request{}, fmt.Errorf(`the request is neither JSON nor msgpack (%w): send {"job":"<id>"}`, err)
		}
	}
	var r Request
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return Request{}, fmt.Errorf("read the request: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Request{}, errors.New("read the request: it goes on after its end")
	}
	return r, CheckToken("job", r.Job)
}
