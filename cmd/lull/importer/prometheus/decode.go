package prometheus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// mostSeries bounds what an answer may list.
const mostSeries = 200_000

// found is a series of an answer.
type found struct {
	Metric map[string]string `json:"metric"`
	Values []point           `json:"values"`
}

// point is a value with its time, in Unix seconds.
type point struct {
	at    float64
	value float64
}

// UnmarshalJSON reads [time, "value"].
func (p *point) UnmarshalJSON(text []byte) error {
	var pair [2]json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	var value string
	if err := errors.Join(json.Unmarshal(pair[0], &p.at), json.Unmarshal(pair[1], &value)); err != nil {
		return fmt.Errorf("%s is not a pair of a time and a value", text)
	}
	var err error
	p.value, err = strconv.ParseFloat(value, 64)
	return err
}

// answer is what has been read of an answer.
type answer struct {
	*json.Decoder
	status, kind string
	warnings     []string
	series       []found
}

// decode reads an answer to its end. It reads series one by one, because the text of a whole answer
// is several times as large as the series.
func decode(body io.Reader) ([]found, error) {
	a := answer{Decoder: json.NewDecoder(body)}
	err := a.object(a.top)
	switch {
	case errors.Is(err, errForm):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("the answer broke off or is damaged (%w); %w", err, errLater)
	case a.status != "success" || a.kind != "matrix":
		return nil, usage("status %q, result %q: this is not the answer to a range query; give the URL of a Prometheus server", a.status, a.kind)
	case len(a.warnings) > 0:
		return nil, fmt.Errorf("the server says that its answer may be incomplete: %s; repair that, or %w", a.warnings[0], errLater)
	}
	return a.series, nil
}

var errForm = errors.New("the answer does not come from Prometheus")

// object reads an object, field by field.
func (a *answer) object(field func(name string) error) error {
	if err := a.expect('{'); err != nil {
		return err
	}
	for a.More() {
		token, err := a.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if err := field(name); err != nil {
			return err
		}
	}
	return a.expect('}')
}

func (a *answer) expect(delimiter json.Delim) error {
	token, err := a.Token()
	if err == nil && token != delimiter {
		return usage("%w: it has %v in place of %v", errForm, token, delimiter)
	}
	return err
}

func (a *answer) top(name string) error {
	switch name {
	case "status":
		return a.Decode(&a.status)
	case "warnings":
		return a.Decode(&a.warnings)
	case "data":
		return a.object(a.data)
	}
	return a.Decode(new(json.RawMessage))
}

func (a *answer) data(name string) error {
	switch name {
	case "resultType":
		return a.Decode(&a.kind)
	case "result":
		return a.result()
	}
	return a.Decode(new(json.RawMessage))
}

func (a *answer) result() error {
	switch token, err := a.Token(); {
	case err != nil || token == nil: // null: no series
		return err
	case token != json.Delim('['):
		return usage("%w: its result begins with %v", errForm, token)
	}
	for a.More() {
		var one found
		if err := a.Decode(&one); err != nil {
			return err
		}
		if a.series = append(a.series, one); len(a.series) > mostSeries {
			return usage("the answer has more than %d series: aggregate them by host in the query", mostSeries)
		}
	}
	return a.expect(']')
}
