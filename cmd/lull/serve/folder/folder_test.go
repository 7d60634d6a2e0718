package folder

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestDefault(t *testing.T) {
	for _, c := range []struct {
		name string
		uid  int
		env  map[string]string
		want string
	}{
		{"named", 1000, map[string]string{"LULL_DATA": "/d", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "/d"},
		{"xdg", 1000, map[string]string{"XDG_DATA_HOME": "/x", "HOME": "/h"}, "/x/lull"},
		{"relative xdg", 1000, map[string]string{"XDG_DATA_HOME": "x", "HOME": "/h"}, "/h/.local/share/lull"},
		{"root", 0, map[string]string{"HOME": "/root"}, "/var/lib/lull"},
		{"root with a folder", 0, map[string]string{"LULL_DATA": "/d", "HOME": "/root"}, "/d"},
		{"no home", 1000, nil, "/var/lib/lull"},
	} {
		if got := defaultFor(func(k string) string { return c.env[k] }, c.uid); got != c.want {
			t.Errorf("%s: defaultFor() = %s, want %s", c.name, got, c.want)
		}
	}
}

// A process that is killed while it starts another leaves its lock with that one for a moment.
func TestLockOfTheKilledIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	first, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(lockPatience/4, func() { _ = first.Close() })
	second, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func TestOneOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Take(dir); !errors.Is(err, ErrTaken) {
		t.Fatalf("second Take() = %v, want ErrTaken", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Take(dir)
	if err != nil {
		t.Fatalf("Take() after Close() = %v, want no error", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestFindSeesOnlyTheLiving(t *testing.T) {
	dir := t.TempDir()
	if e, ok := Find(dir); ok {
		t.Fatalf("Find(an empty folder) = %+v, want nothing", e)
	}
	f, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := Endpoint{URL: "nats://127.0.0.1:1", Token: "secret", Pool: "default", PID: 7, Version: "v"}
	if err := f.Announce(want); err != nil {
		t.Fatal(err)
	}
	if got, ok := Find(dir); !ok || got != want {
		t.Fatalf("Find() = %+v, %v, want %+v", got, ok, want)
	}
	info, err := os.Stat(endpointPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Fatalf("mode of the endpoint = %v, want 0600: it holds a secret", mode)
	}
	left, err := os.ReadFile(endpointPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// A crash leaves the file but not the lock.
	if err := os.WriteFile(endpointPath(dir), left, 0o600); err != nil {
		t.Fatal(err)
	}
	if e, ok := Find(dir); ok {
		t.Errorf("Find() after its owner died = %+v, want nothing", e)
	}
	next, err := Take(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close() //nolint:errcheck // the folder is temporary
	if _, err := readEndpoint(dir); err == nil {
		t.Error("readEndpoint() after the next Take() = nil error, want the endpoint of its predecessor gone")
	}
}
