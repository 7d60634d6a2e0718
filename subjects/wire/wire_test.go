package wire

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"
)

// bombs are short messages that cost a bare decoder all memory, minutes or the
// stack.
var bombs = map[string][]byte{
	"array of 4 billion":  {0xdd, 0xff, 0xff, 0xff, 0xff, 0x01},
	"map of 4 billion":    {0xdf, 0xff, 0xff, 0xff, 0xff, 0x01, 0x01},
	"text of 4 billion":   {0xdb, 0xff, 0xff, 0xff, 0xff, 'a'},
	"binary of 4 billion": {0xc6, 0xff, 0xff, 0xff, 0xff, 'a'},
	"ext of 4 billion":    {0xc9, 0xff, 0xff, 0xff, 0xff, 0x01, 'a'},
	"lists in lists":      bytes.Repeat([]byte{0x91}, 100_000),
	"maps in maps":        bytes.Repeat([]byte{0x81, 0xa1, 'k'}, 100_000),
	"map of half a pair":  {0x81, 0x01},
	"nothing":             {},
	"two values":          {0x01, 0x01},
	"c1":                  {0xc1},
}

func TestBombsAreRefused(t *testing.T) {
	for name, b := range bombs {
		if err := Scan(b); err == nil {
			t.Errorf("Scan(%s) = nil, want an error", name)
		}
		var v any
		if err := Unmarshal(b, &v); err == nil {
			t.Errorf("Unmarshal(%s) = nil, want an error", name)
		}
		if _, err := ToJSON(b); err == nil {
			t.Errorf("ToJSON(%s) = nil, want an error", name)
		}
	}
}

func TestScanNamesWhatIsWrong(t *testing.T) {
	for name, want := range map[string]error{
		"array of 4 billion": ErrShort,
		"lists in lists":     ErrDeep,
		"maps in maps":       ErrDeep,
		"two values":         ErrTrailing,
		"c1":                 ErrCode,
		"nothing":            ErrShort,
	} {
		if err := Scan(bombs[name]); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
}

func TestScanTakesTheDeepestAllowed(t *testing.T) {
	nest := func(levels int) []byte { return append(bytes.Repeat([]byte{0x91}, levels), 0x01) }
	if err := Scan(nest(MaxDepth)); err != nil {
		t.Errorf("Scan(%d levels) = %v, want no error", MaxDepth, err)
	}
	if err := Scan(nest(MaxDepth + 1)); !errors.Is(err, ErrDeep) {
		t.Errorf("%d levels: got %v, want ErrDeep", MaxDepth+1, err)
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	b, err := Marshal(map[string]any{"a": []any{1, "two", 3.0, nil, true}, "b": []byte("bytes")})
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = Scan(b) }); n != 0 {
		t.Errorf("Scan allocates %v times, want 0", n)
	}
}

// TestScanAgreesWithTheDecoder compares with the slow twin: the decoder
// skipping one value over bytes that cannot make it allocate.
func TestScanAgreesWithTheDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")
		r := bytes.NewReader(b)
		err := msgpack.NewDecoder(r).Skip()
		// The decoder skips c1 and accepts a text that runs past the end of the input. The decoder
		// must accept all of what Scan accepts.
		if Scan(b) == nil && (err != nil || r.Len() > 0) {
			t.Fatalf("Scan takes % x, the decoder = %v with %d bytes left, want no error and 0", b, err, r.Len())
		}
	})
}

func TestToJSONKeepsOrderAndRepeats(t *testing.T) {
	b := []byte{0x83, 0xa1, 'b', 0x01, 0xa1, 'a', 0x92, 0xc0, 0xc3, 0xa1, 'b', 0xa1, '"'}
	got, err := ToJSON(b)
	if want := `{"b":1,"a":[null,true],"b":"\""}`; err != nil || string(got) != want {
		t.Errorf("ToJSON(% x) = %s, %v, want %s", b, got, err, want)
	}
}

func TestToJSONRefusesWhatJSONHasNoWordFor(t *testing.T) {
	for name, b := range map[string][]byte{
		"a number as a key": {0x81, 0x01, 0x01},
		"binary":            {0xc4, 0x01, 'a'},
		"a time":            {0xd6, 0xff, 0, 0, 0, 1},
		"NaN":               {0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 1},
		"Latin-1":           {0xa1, 0xe9},
		"interned text":     {0xd4, 0x80, 0x01},
	} {
		if got, err := ToJSON(b); err == nil {
			t.Errorf("ToJSON(%s) = %s, want an error", name, got)
		}
	}
}

// TestUnmarshalAllocatesLittle decodes lists of elements of one byte each, the worst that Scan
// accepts.
func TestUnmarshalAllocatesLittle(t *testing.T) {
	b := append([]byte{0xdc, 0xff, 0xff}, bytes.Repeat([]byte{0x80}, 0xffff)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var v []struct{ A, B, C string }
	if err := Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(4*48*len(b)); used > most {
		t.Errorf("Unmarshal(%d bytes) allocated %d, want at most %d", len(b), used, most)
	}
}

func FuzzScan(f *testing.F) {
	for _, b := range bombs {
		f.Add(b[:min(len(b), 4096)])
	}
	f.Add([]byte{0x82, 0xa1, 'a', 0xcb, 0, 0, 0, 0, 0, 0, 0, 0, 0xa1, 'b', 0x93, 1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		passed := Scan(b) == nil
		var v any
		if err := Unmarshal(b, &v); err == nil && !passed {
			t.Errorf("Unmarshal(% x) = nil, want an error as Scan's", b)
		}
		if _, err := ToJSON(b); err == nil && !passed {
			t.Errorf("ToJSON(% x) = nil, want an error as Scan's", b)
		}
	})
}
