package subjects

import (
	"reflect"
	"testing"
)

func TestRequests(t *testing.T) {
	packed, err := Marshal(Request{Job: "wc-7", Who: "me"})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{string(packed), `{"job":"wc-7","who":"me"}`, " {\"who\":\"me\",\n\"job\":\"wc-7\"} "} {
		got, err := DecodeRequest([]byte(body))
		if want := (Request{Job: "wc-7", Who: "me"}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("DecodeRequest(%q) = %+v, %v, want %+v", body, got, err, want)
		}
	}
	for _, body := range []string{"", " ", "{}", `{"job":"a b"}`, `{"job":"a","jbo":"b"}`, `{"job":"a"}{}`, `{"job":"a"}]`, `{"job":1}`, "wc-7", "\x91\x01"} {
		if got, err := DecodeRequest([]byte(body)); err == nil {
			t.Errorf("DecodeRequest(%q) = %+v, want an error", body, got)
		}
	}
}
