package subjects

import (
	"fmt"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"lull/subjects/profile"
	"lull/subjects/spec"
)

// sample is a job that Validate takes, with something in every field.
func sample() spec.Job {
	doc, err := spec.Parse([]byte(`
name: wc
queue: nightly
deadline: 10m
output: /out
origin: a
stages:
  - name: map
    command: [wc, -l]
    env: {A: b}
    dir: /tmp
    splits: [{ranges: [{path: /f, size: 9, mtime: 5, offset: 1, length: 8}], param: p}]
    where: {ssd: yes}
    timeout: 1h
    estimate: 2s
  - {name: reduce, command: sum, from: {stage: map, by: partition}, tasks: 4, after: map, cpu: 2, memory: 1GB, retries: 0}
`))
	if err != nil {
		panic(err)
	}
	job, err := doc.Job()
	if err != nil {
		panic(err)
	}
	return job
}

// day is a profile that Check takes, with something in every field.
func day() profile.Profile {
	p := profile.Profile{
		Pattern: profile.Periodic, Confidence: 0.9, Average: 0.3, Peak: 0.8, From: 1, Until: 86401, Observed: 1,
		Stray: 3, PerDay: 24, Hours: make([]byte, 24), Quantiles: make([]byte, 24*len(profile.Levels)),
		Miss: make([]byte, len(profile.Spans)), Maxima: make([]byte, 24), Means: make([]byte, 12),
	}
	for i := range p.Hours {
		p.Hours[i], p.Maxima[i] = byte(i), byte(2*i)
	}
	return p
}

// draw fills an event or sample with values that its check takes.
func draw(t *rapid.T, v any) {
	fill(t, reflect.ValueOf(v).Elem(), "")
	switch v := v.(type) {
	case *Submitted:
		v.Spec = sample()
	case *Retried:
		v.Doc = nil
		if v.Late {
			v.Doc = &Submitted{Spec: sample(), Inbox: v.Inbox}
		}
	case *Joined:
		v.Tenant = name.Draw(t, "Tenant")
	case *Harmed:
		v.Tenant, v.Sensor, v.To = name.Draw(t, "Tenant"), "eBPF", v.From+1
	case *Beat:
		slices.Sort(v.Attempts)
		v.Attempts = slices.Compact(v.Attempts)
		for i := range v.Saved {
			v.Saved[i].Attempt = uint64(i + 1)
		}
	case *Speeds:
		for i := range v.Tasks {
			v.Tasks[i].Attempt = uint64(i + 1)
		}
	case *Assigned:
		v.Why.Rule, v.Part = name.Draw(t, "Rule"), min(v.Part, maxPart)
	case *Revoked:
		v.For = name.Draw(t, "For")
	case *Classified:
		v.Class = name.Draw(t, "Class")
		v.Profile = day()
	case *Placed:
		for i := range v.Hosts {
			v.Hosts[i].Host = name.Draw(t, "Host")
		}
		for i := range v.Links {
			v.Links[i].Name = name.Draw(t, "Link")
		}
	case *Wired:
		for i := range v.Racks {
			v.Racks[i].Name, v.Racks[i].Above = name.Draw(t, "Rack"), name.Draw(t, "Above")
		}
		for _, links := range [][]WiredLink{v.Above, v.NICs} {
			for i := range links {
				links[i].Name = name.Draw(t, "Link")
			}
		}
	case *Owned:
		for i := range v.Tenants {
			v.Tenants[i].Tenant = name.Draw(t, "Tenant")
			for j := range v.Tenants[i].Hosts {
				v.Tenants[i].Hosts[j] = name.Draw(t, "Host")
			}
		}
	case *Steered:
		for i := range v.Classes {
			v.Classes[i].Name = name.Draw(t, "Class")
		}
	case *PoolClassified:
		for i := range v.Classes {
			c := &v.Classes[i]
			c.Name, c.Center, c.Pattern = name.Draw(t, "Class"), name.Draw(t, "Center"), profile.Periodic
		}
	case *Paced:
		for i := range v.For {
			v.For[i] = name.Draw(t, "For")
		}
	}
}

var name = rapid.StringMatching(`[a-zA-Z0-9_-]{1,20}`)

func fill(t *rapid.T, v reflect.Value, label string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Tag.Get("msgpack") == "-" {
				v.Field(i).SetString(name.Draw(t, f.Name))
				continue
			}
			if f.Type != reflect.TypeFor[spec.Job]() && f.Type != reflect.TypeFor[profile.Profile]() {
				fill(t, v.Field(i), f.Name)
			}
		}
	case reflect.Pointer: // see draw
	case reflect.String:
		v.SetString(rapid.String().Draw(t, label))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, label))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		most := min(uint64(1)<<(v.Type().Bits()-1), 1<<60)
		if v.Type().Bits() == 32 {
			most = MaxWidth
		}
		v.SetUint(rapid.Uint64Range(1, most).Draw(t, label))
	case reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64Range(0, 1<<(v.Type().Bits()-4)).Draw(t, label))
	case reflect.Float64:
		v.SetFloat(rapid.Float64Range(0, 1).Draw(t, label))
	case reflect.Slice:
		if n := rapid.IntRange(0, 3).Draw(t, label); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), label)
		}
	default:
		panic(fmt.Sprintf("no way to draw a %v", v.Type()))
	}
}
