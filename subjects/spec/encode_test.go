package spec

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"lull/subjects/wire"
)

// Encode says what wire.Marshal says, whatever field is set. A field that Encode does not know
// fails here.
func TestEncodeIsMarshal(t *testing.T) {
	full := reflect.New(reflect.TypeFor[Job]()).Elem()
	fillAll(full)
	jobs := []Job{{}, {Stages: []Stage{}}, {Stages: []Stage{{}}}, {Stages: make([]Stage, 20)}, full.Interface().(Job)}
	for _, v := range []reflect.Value{reflect.New(reflect.TypeFor[Job]()).Elem(), reflect.New(reflect.TypeFor[Stage]()).Elem()} {
		for _, field := range reflect.VisibleFields(v.Type()) {
			if field.Anonymous {
				continue
			}
			for _, variant := range variants(field.Type) {
				v.SetZero()
				v.FieldByIndex(field.Index).Set(variant)
				if job, ok := v.Interface().(Job); ok {
					jobs = append(jobs, job)
				} else {
					jobs = append(jobs, Job{Stages: []Stage{v.Interface().(Stage), {}}})
				}
			}
		}
	}
	for i := range jobs {
		want, err := wire.Marshal(&jobs[i])
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := Encode(wire.NewEncoder(&got), &jobs[i]); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("job %+v:\n got %x, %v\nwant %x", jobs[i], got.Bytes(), err, want)
		}
	}
}

// variants are values of a type at the borders of its forms.
func variants(t reflect.Type) (all []reflect.Value) {
	add := func(v any) { all = append(all, reflect.ValueOf(v).Convert(t)) }
	switch t.Kind() {
	case reflect.String:
		for _, n := range []int{1, 31, 32, 255, 256, 65535, 65536} {
			add(strings.Repeat("x", n))
		}
	case reflect.Bool:
		add(true)
	case reflect.Int64:
		for _, n := range []int64{1, 127, 128, 255, 256, 65535, 65536, math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64, -1, -32, -33, -128, -129, -32768, -32769, math.MinInt32, math.MinInt32 - 1, math.MinInt64} {
			add(n)
		}
	case reflect.Uint32:
		for _, n := range []uint32{1, 127, 128, 255, 256, 65535, 65536, math.MaxUint32} {
			add(n)
		}
	case reflect.Float64:
		for _, f := range []float64{1, 0.5, -2, math.Inf(1), math.NaN()} {
			add(f)
		}
	case reflect.Slice:
		for _, n := range []int{0, 1, 15, 16, 70000} {
			list := reflect.MakeSlice(t, n, n)
			if n > 0 {
				fillAll(list.Index(0))
			}
			all = append(all, list)
		}
	default:
		panic(fmt.Sprintf("no values of %s are known here", t))
	}
	return all
}

// fillAll puts something into every field.
func fillAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillAll(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillAll(v.Index(0))
	default:
		v.Set(variants(v.Type())[0])
	}
}

func BenchmarkEncode(b *testing.B) {
	job := Job{Name: "night", Type: "night", Stages: []Stage{{Name: "work", Argv: []string{"sh", "-c", "./simulate --seed 1"}, Tasks: 1, CPU: 1, Memory: 64 << 20, Retries: 3, Backoff: 1e9}}}
	var buf bytes.Buffer
	e := wire.NewEncoder(&buf)
	b.ReportAllocs()
	for b.Loop() {
		buf.Reset()
		if err := Encode(e, &job); err != nil {
			b.Fatal(err)
		}
	}
}
