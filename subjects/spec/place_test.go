package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

const sortDocument = `name: sort
place: cheap
stages:
  - {name: map, command: cut, tasks: 4, gives: 0.5}
  - {name: pick, command: pick, tasks: 2, gives: 64MB}
  - {name: reduce, command: sort, tasks: 2, from: {stage: map, by: partition}}
`

func TestADocumentSaysHowItIsPlaced(t *testing.T) {
	d, err := Parse([]byte(sortDocument))
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseWire(body)
	if err != nil {
		t.Fatalf("ParseWire(%s) = %v, want no error", body, err)
	}
	j, err := again.Job()
	if err != nil {
		t.Fatal(err)
	}
	if j.Place != PlaceCheap || j.Stages[0].Gives != 0.5 || j.Stages[1].Yield != 64_000_000 || !j.Placeable() {
		t.Errorf("Job() = %+v, want a placeable job, place: cheap, with gives of 0.5 and 64 MB", j)
	}
	back, err := Document(&j)
	if err != nil || back.Place != PlaceCheap || *back.Stages[1].Gives != (Gives{Bytes: 64_000_000}) {
		t.Errorf("Document(job) = %+v, %v, want place: cheap and gives of 64 MB", back, err)
	}
	j.Place = PlaceOff
	if j.Placeable() {
		t.Error("Placeable() = true with place: off, want false")
	}
}

func TestWrongPlacesAndGives(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"cheap", "near", `line 2, column 8: place: "near" is not known: write fast, cheap, spread, pack or off`},
		{"0.5", "0", "is out of bounds"},
		{"0.5", "lots", "is not a size"},
		{"0.5", "[1]", "expected a number, such as 0.4, or a size, such as 64MB"},
	} {
		_, err := Parse([]byte(strings.Replace(sortDocument, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%s) = %v, want an error that says %q", c.to, err, c.want)
		}
	}
}
