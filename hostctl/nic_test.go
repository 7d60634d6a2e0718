package hostctl

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNICRate(t *testing.T) {
	root := t.TempDir()
	put := func(nic, speed string, device bool) {
		t.Helper()
		folder := filepath.Join(root, "sys", "class", "net", nic)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "speed"), []byte(speed+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if device {
			if err := os.Mkdir(filepath.Join(folder, "device"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := nicRate(root); got > 0 {
		t.Errorf("nicRate(no interfaces) = %g, want 0", got)
	}
	put("lo", "100000", false)
	put("down0", "-1", true)
	put("veth0", "10000", false)
	if got := nicRate(root); got < 1.25e9 || got > 1.25e9 {
		t.Errorf("in a container: %g bytes/s, want 1.25e9", got)
	}
	put("eth0", "1000", true)
	if got := nicRate(root); got < 125e6 || got > 125e6 {
		t.Errorf("with hardware of 1 Gbit/s: %g bytes/s, want 125e6", got)
	}
}
