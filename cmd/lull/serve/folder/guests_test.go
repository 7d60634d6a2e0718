package folder

import (
	"errors"
	"testing"
)

func TestAnOwnerSeesItsGuestsAndTakesNoneOnceItIsClosedToThem(t *testing.T) {
	dir := t.TempDir()
	owner, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	visit := func() (leave func()) {
		t.Helper()
		leave, err := Visit(dir)
		if err != nil {
			t.Fatalf("Visit() of an open folder = %v, want nil", err)
		}
		return leave
	}
	first, second := visit(), visit()
	for _, leave := range []func(){first, second} {
		if owner.CloseToGuests() {
			t.Fatal("CloseToGuests() with a guest = true, want false")
		}
		leave()
	}
	if !owner.CloseToGuests() {
		t.Fatal("CloseToGuests() after the last guest left = false, want true")
	}
	if _, err := Visit(dir); !errors.Is(err, ErrStopping) {
		t.Errorf("Visit() of a closed folder = %v, want ErrStopping", err)
	}
	if err := owner.OpenToGuests(); err != nil {
		t.Fatal(err)
	}
	visit()()
	if !owner.CloseToGuests() {
		t.Error("CloseToGuests() = false, want true again")
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	visit()() // nobody owns it, and nobody holds its guests off
}

func TestAFolderWithoutAnOwnerHasNoGuests(t *testing.T) {
	leave, err := Visit(t.TempDir())
	if err != nil {
		t.Fatalf("Visit() of an empty folder = %v, want nil", err)
	}
	leave()
}
