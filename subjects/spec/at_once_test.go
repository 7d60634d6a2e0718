package spec

import (
	"reflect"
	"testing"
)

func TestTheBoundsOfTasksAtOnceAreReadAndWritten(t *testing.T) {
	j := jobOf(t, []byte("name: x\nat_once: 30\nstages:\n- {name: a, command: ./run, tasks: 100, at_once: 20}\n- {name: b, command: ./run, tasks: 100}\n- {name: c, command: ./run, tasks: 5, at_once: 20}\n"))
	if j.AtOnce != 30 || j.Stages[0].AtOnce != 20 || j.Stages[1].AtOnce != 0 {
		t.Errorf("at_once = %d, %d, %d, want 30, 20, 0", j.AtOnce, j.Stages[0].AtOnce, j.Stages[1].AtOnce)
	}
	for i, want := range []uint32{20, 30, 5} {
		if got := MostAtOnce(&j, i); got != want {
			t.Errorf("MostAtOnce(stage %d) = %d, want %d", i, got, want)
		}
	}
	if free := jobOf(t, []byte("name: x\nstages:\n- {name: a, command: ./run}\n")); !BoundsAtOnce(&j) || BoundsAtOnce(&free) {
		t.Error("BoundsAtOnce() is true without a bound, or false with one")
	}
	d, err := Document(&j)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if again := jobOf(t, b); !reflect.DeepEqual(again, j) {
		t.Errorf("the recovered document gives %+v, want %+v", again, j)
	}
}
