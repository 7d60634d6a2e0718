package pin

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lull/hostctl/lines"
	"lull/subjects/spec"
)

// tasks writes files, and returns what each task of a stage over them reads.
func tasks(t *testing.T, need spec.Need, texts ...string) ([]string, error) {
	t.Helper()
	folder := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.txt", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in, err := Files(t.Context(), folder, []string{"*.txt"})
	if err == nil {
		err = in.Cut(t.Context(), need)
	}
	if err != nil {
		return nil, err
	}
	var read []string
	for s := range spec.Splits(in.Files, need.Split, need.Group) {
		all, err := lines.OpenAll(s.Ranges, nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		_, err = all.Copy(&out)
		if all.Close(); err != nil {
			t.Fatal(err)
		}
		read = append(read, out.String())
	}
	return read, nil
}

func TestEachTaskGetsTheHeader(t *testing.T) {
	for _, c := range []struct {
		need  spec.Need
		texts []string
		want  []string
	}{
		{spec.Need{Split: 4, Header: 1}, []string{"h\n11\n22\n33\n44\n"}, []string{"h\n11\n22\n", "h\n33\n", "h\n44\n"}},
		{spec.Need{Split: 100, Header: 1}, []string{"h\n1\n", "h\n2\n"}, []string{"h\n1\n2\n"}},
		{spec.Need{Group: 2, Header: 2}, []string{"h\ni\n1\n", "h\ni\n2\n", "h\ni\n3\n"}, []string{"h\ni\n1\n2\n", "h\ni\n3\n"}},
		{spec.Need{Group: 3, Header: 1}, []string{"h\n1\n", "", "h"}, []string{"h\n1\n"}},
		{spec.Need{Split: 9, Header: 1, Record: "csv"}, []string{"a,\"x\ny\"\n1,\"\n\n\n\n\"\n2,\"\"\"\n\"\n3,5\"\n4,\n"},
			[]string{"a,\"x\ny\"\n1,\"\n\n\n\n\"\n", "a,\"x\ny\"\n2,\"\"\"\n\"\n", "a,\"x\ny\"\n3,5\"\n4,\n"}},
		{spec.Need{Split: 5, Record: "csv"}, []string{"1|\"a\nb\"|\"\"\r\n2|c\n"}, []string{"1|\"a\nb\"|\"\"\r\n", "2|c\n"}},
		{spec.Need{Split: 7, Record: "csv"}, []string{"\xef\xbb\xbf\"a\n\n\"\nb\n"}, []string{"\xef\xbb\xbf\"a\n\n\"\n", "b\n"}},
	} {
		got, err := tasks(t, c.need, c.texts...)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v of %q: tasks read %q, %v, want %q", c.need, c.texts, got, err, c.want)
		}
	}
	if _, err := tasks(t, spec.Need{Split: 100, Header: 1}, "h\n1\n", "other\n2\n"); err == nil || !strings.Contains(err.Error(), "1.txt is not that of") {
		t.Errorf("two headers: %v, want an error that names the file", err)
	}
	// MySQL and Spark write a quote in a value with a backslash.
	if _, err := tasks(t, spec.Need{Split: 4, Record: "csv"}, "1,\"a \\\"b\n\",c\n2,d\n"); err == nil || !strings.Contains(err.Error(), "at byte 8") {
		t.Errorf("a quote with a backslash: %v, want an error that says where", err)
	}
	if _, err := tasks(t, spec.Need{Split: 4, Record: "csv"}, "\"never closed\n\n\n\n"); err == nil || !strings.Contains(err.Error(), "is it csv?") {
		t.Errorf("a quote without an end: %v, want an error", err)
	}
}

// A last line without a line end stays a line of its own where another file follows. What is grouped without regard to
// lines follows each other as it is.
func TestFilesWithoutAFinalLineEndKeepTheirLastLines(t *testing.T) {
	texts := []string{"1\n2", "3\n", "", "4", "", "5\r\n6"}
	for _, c := range []struct {
		need  spec.Need
		texts []string
		want  []string
	}{
		{spec.Need{Split: 100}, texts, []string{"1\n2\n3\n4\n5\r\n6"}},
		{spec.Need{Split: 4}, texts, []string{"1\n2", "3\n4\n", "5\r\n6"}},
		{spec.Need{Split: 100, Header: 1}, []string{"h\n1", "", "h\n2\n", "h", "h\n3"}, []string{"h\n1\n2\n3"}},
		{spec.Need{Split: 100, Header: 1}, []string{"h", "h\n1"}, []string{"h\n1"}},
		{spec.Need{Group: 5, Header: 1}, []string{"h\n1", "", "h\n2\n", "h", "h\n3"}, []string{"h\n1\n2\n3"}},
		{spec.Need{Group: 6}, texts, []string{strings.Join(texts, "")}},
	} {
		got, err := tasks(t, c.need, c.texts...)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v of %q: tasks read %q, %v, want %q", c.need, c.texts, got, err, c.want)
		}
	}
}

// Every record is read once, by one task, whatever the cuts.
func TestRecordsStayWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		records := rapid.SliceOfN(rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("a\n\",;")), 0, 6, -1), 2, 2), 1, 30).Draw(rt, "records")
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		if err := w.WriteAll(records); err != nil {
			rt.Fatal(err)
		}
		read, err := tasks(t, spec.Need{Split: rapid.Int64Range(1, 60).Draw(rt, "split"), Record: "csv"}, text.String())
		if err != nil || strings.Join(read, "") != text.String() {
			rt.Fatalf("tasks read %q, %v, want %q in parts", read, err, text.String())
		}
		for _, part := range read {
			if _, err := csv.NewReader(strings.NewReader(part)).ReadAll(); err != nil {
				rt.Fatalf("a task reads %q: %v, want whole records", part, err)
			}
		}
	})
}

func TestWhatHasNoLinesIsNotSplit(t *testing.T) {
	folder := t.TempDir()
	need := spec.Need{Split: 10}
	for name, text := range map[string]string{
		"a.csv.gz": "short", "a.ZST": "", "b.parquet": "x", "c.tgz": "", "d.lz4": "", "e.7z": "", "f.orc": "", "g.avro": "", "h.zip": "", "i.xz": "", "j.bz2": "",
		"gzip": "\x1f\x8b\x08 and so on", "zip": "PK\x03\x04 and so on", "bz": "BZh91AY&SY and", "parquet.txt": "PAR1 and so on", "wide.csv": "\xff\xfea\x00\n\x00b\x00\n\x00\n\x00",
		"tar": strings.Repeat("\x00", 257) + "ustar",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		in, err := Files(t.Context(), folder, []string{name})
		if err == nil {
			err = in.Cut(t.Context(), need)
		}
		if err == nil || !strings.Contains(err.Error(), path+" is ") || !strings.Contains(err.Error(), "leave split out") {
			t.Errorf("split of %s = %v, want an error that names it", name, err)
		}
		if err := in.Cut(t.Context(), spec.Need{Group: 2}); err != nil {
			t.Errorf("group of %s = %v, want no error: tasks read whole files", name, err)
		}
	}
	if err := splittable(spec.File{Path: "https://host/x/data.csv.gz?sig=a.txt", Size: 100}, 10); err == nil {
		t.Error("a compressed URL can be split, want an error")
	}
}
