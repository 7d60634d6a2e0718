package spec

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// JSON is YAML too. jsonTree reads it as the YAML parser does: the same jobs, and the same errors
// at the same places.
func TestJSONIsReadAsYAMLIs(t *testing.T) {
	stage := func(fields string) string { return `{"name":"j","stages":[{"name":"a","command":"x",` + fields + `}]}` }
	for _, doc := range []string{
		stage(`"tasks":2`), stage(`"tasks": 2 , "env" : {"A":1.50,"B":true,"C":"ü\n\"\\/\u00e9\ud83d\ude00"}`),
		stage(`"each":["a",1,-0,1e3,1.0,0.25,false,"b c"]`), stage(`"each":[]`), stage(`"each":[null]`), stage(`"each":[[1]]`),
		stage(`"splits":[{"param":"a"},{"ranges":[{"path":"/f","size":1,"length":1}]}]`),
		stage(`"tasks":"2"`), stage(`"tasks":2.5`), stage(`"tasks":1e2`), stage(`"tasks":99999999999999999999`), stage(`"tasks":true`),
		stage(`"tasks":2,"memory":"1GB","retries":0,"timeout":"1m","where":{"a":"b"}`), stage(`"tasks":2,"memory":12`),
		stage(`"tasks":2,"tasks":3`), stage(`"taks":2`), stage("\n\n  \"tasks\":\n  {\"é\": [1, 2]}\n"), stage("\"tasks\":1,\n\t\"env\":\t[]"),
		stage(`"from":{"stage":"b"}`), stage(`"from":[{"stage":"a"}]`), stage(`"inputs":["",1]`),
		`{"name":"j"}`, `{"name":"j","stages":null}`, `{"name":"","stages":[]}`, `{}`, `[]`, `"text"`, `12`, `null`, ` [ { } ] `,
		strings.Repeat("[", maxNesting+1) + strings.Repeat("]", maxNesting+1),
	} {
		root, err := jsonTree([]byte(doc))
		if root == nil && err == nil {
			t.Errorf("jsonTree(%s) = nil, want it read as JSON", doc)
			continue
		}
		var got, want *Doc
		if err == nil {
			got, err = parsed([]byte(doc), root)
		}
		file, wantErr := syntaxTree([]byte(strings.ReplaceAll(doc, "\t", " ")))
		if wantErr == nil {
			want, wantErr = parsed([]byte(doc), file.Docs[0].Body)
		}
		if !reflect.DeepEqual(err, wantErr) {
			t.Errorf("%s: error\n%v\nwant\n%v", doc, err, wantErr)
		}
		if err == nil && wantErr == nil {
			got.root, want.root = nil, nil
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: read as\n%+v\nwant\n%+v", doc, got, want)
			}
		}
	}
}

// Programs send lists of a megabyte: what reading one takes stays a small multiple of
// that.
func TestALongListTakesLittleMemory(t *testing.T) {
	var list []string
	for i := range 60_000 {
		list = append(list, fmt.Sprintf(`"item-%05d"`, i))
	}
	doc := []byte(`{"name":"j","stages":[{"name":"a","command":"x","each":[` + strings.Join(list, ",") + `]}]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ParseWire(doc); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64*uint64(len(doc)) {
		t.Errorf("Parse(%d bytes) allocated %d, want at most %d", len(doc), took, 64*len(doc))
	}
}
