package wire

import (
	"bytes"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

type framed struct {
	Name string `msgpack:"name"`
	Body View   `msgpack:"body"`
	More int    `msgpack:"more"`
}

type copied struct {
	Name string `msgpack:"name"`
	Body []byte `msgpack:"body"`
	More int    `msgpack:"more"`
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	b, err := Marshal(v)
	if err != nil {
		t.Fatalf("Marshal(%+v): %v, want no error", v, err)
	}
	return b
}

func TestAViewIsWrittenAsBytes(t *testing.T) {
	for _, body := range [][]byte{nil, {}, {1, 2, 3}, bytes.Repeat([]byte{7}, 1<<17)} {
		got, want := marshalled(t, &framed{"a", body, 5}), marshalled(t, &copied{"a", body, 5})
		if !bytes.Equal(got, want) {
			t.Errorf("Marshal(view of %d bytes) = %d bytes, want the %d of a []byte", len(body), len(got), len(want))
		}
	}
}

func TestAViewSharesTheMessagesMemory(t *testing.T) {
	message := marshalled(t, &copied{"a", []byte("body"), 5})
	var got framed
	if err := Unmarshal(message, &got); err != nil || string(got.Body) != "body" || got.Name != "a" || got.More != 5 {
		t.Fatalf("Unmarshal() = %+v, %v, want the name, the body and the number behind it", got, err)
	}
	at := bytes.Index(message, []byte("body")) // the key
	at += 4 + bytes.Index(message[at+4:], []byte("body"))
	if &got.Body[0] != &message[at] {
		t.Error("the view is a copy, want the message's own bytes")
	}
	if got.Body = append(got.Body, '!'); message[at+4] == '!' {
		t.Error("an append to the view wrote into the message, want a copy")
	}
}

func TestAViewOfNothing(t *testing.T) {
	for _, body := range [][]byte{nil, {}} {
		got := framed{Body: View("old")}
		if err := Unmarshal(marshalled(t, &copied{Body: body, More: 5}), &got); err != nil || len(got.Body) != 0 || got.More != 5 {
			t.Errorf("Unmarshal(body %#v) = %+v, %v, want an empty view", body, got, err)
		}
	}
}

func TestAViewOfAStreamIsACopy(t *testing.T) {
	var got framed
	from := bytes.NewBuffer(marshalled(t, &copied{"a", []byte("body"), 5}))
	if err := msgpack.NewDecoder(from).Decode(&got); err != nil || string(got.Body) != "body" || got.More != 5 {
		t.Errorf("Decode(a stream) = %+v, %v, want the body", got, err)
	}
}

func TestAViewEndsWithItsMessage(t *testing.T) {
	message := marshalled(t, &copied{"a", []byte("body"), 5})
	for cut := range message {
		var got framed
		if err := Unmarshal(message[:cut], &got); err == nil {
			t.Errorf("Unmarshal(%d of %d bytes) = %+v, want an error", cut, len(message), got)
		}
	}
	if v, err := newSource([]byte("abc")).view(4); err == nil {
		t.Errorf("view(4 of 3 bytes) = %q, want an error", v)
	}
}
