package subjects

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// JSON returns an event as one JSON object for people and their scripts: its kind, sequence and
// time, the names in its subject, then its fields as the log names them. Times are RFC 3339 in UTC,
// durations seconds, digests hex. A host's bearer token is left out, because people paste such
// output into reports.
//
//	{"event":"host.assigned","seq":7,"time":"…","host":"a","job":"wc-7","stage":0,"task":3,…}
func JSON(e Event, seq uint64, at time.Time) ([]byte, error) {
	o := object{buf: []byte{'{'}}
	o.field("event", Kind(e))
	o.field("seq", seq)
	o.field("time", stamp(at))
	v := reflect.ValueOf(e).Elem()
	o.names(v)
	o.fields(v)
	return append(o.buf, '}'), o.err
}

// Kind is the name of an event's kind, such as "host.assigned" or "led".
func Kind(e Event) string {
	tokens := e.route()
	switch tokens[0] {
	case "led":
		return "led"
	case "pool":
		return tokens[0] + "." + tokens[1]
	}
	return tokens[0] + "." + tokens[2]
}

// object writes members one after the other and keeps the first error.
type object struct {
	buf []byte
	err error
}

func (o *object) field(name string, value any) {
	text, err := json.Marshal(value)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("write %s as JSON: %w", name, err)
	}
	if last := o.buf[len(o.buf)-1]; last != '{' {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(o.buf, '"')
	o.buf = append(o.buf, name...)
	o.buf = append(o.buf, `":`...)
	o.buf = append(o.buf, text...)
}

// names writes the tokens of the subject, which the body leaves out.
func (o *object) names(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		left := f.Tag.Get("json") == ",omitempty" && v.Field(i).IsZero()
		if f.Tag.Get("msgpack") == "-" && !left {
			o.field(strings.ToLower(f.Name), v.Field(i).String())
		}
	}
}

// fields writes the fields of the body; those of embedded structs stand among
// their neighbours, as they do in msgpack.
func (o *object) fields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		switch {
		case f.Anonymous:
			o.fields(v.Field(i))
		case name == "-" || name == "token" || option == "omitempty" && v.Field(i).IsZero():
		default:
			o.field(name, plain(name, v.Field(i)))
		}
	}
}

// times are the fields that hold Unix nanoseconds, where they are signed numbers.
var times = map[string]bool{
	"at": true, "start": true, "finish": true, "deadline": true, "deadline_at": true, "earliest": true, "mtime": true,
	"soonest": true, "latest": true, "until": true, "from": true, "to": true,
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// plain turns a field's value into what encoding/json writes the way we want.
func plain(name string, v reflect.Value) any {
	switch x := v.Interface().(type) {
	case Digest:
		return hex.EncodeToString(x[:])
	case time.Duration:
		return x.Seconds()
	case int64:
		if times[name] && x != 0 {
			return stamp(time.Unix(0, x))
		}
		return x
	case float64:
		return finite(x)
	}
	switch v.Kind() {
	case reflect.Struct:
		return nested(v)
	case reflect.Slice:
		return elements(v)
	}
	return v.Interface()
}

// finite keeps numbers that JSON cannot write from hiding the whole event.
func finite(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprint(x)
	}
	return x
}

func nested(v reflect.Value) json.RawMessage {
	o := object{buf: []byte{'{'}}
	o.fields(v)
	return append(o.buf, '}')
}

// elements is never nil: a list without elements is written [].
func elements(v reflect.Value) []any {
	list := make([]any, v.Len())
	for i := range list {
		list[i] = plain("", v.Index(i))
	}
	return list
}
