package corruption

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"
)

// damage damages a file or folder, and logs where.
func damage(t *testing.T, random *rand.Rand, path, how string) {
	t.Helper()
	if how == "remove" {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		t.Logf("removed %s", path)
		return
	}
	body, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("needs a file that the server had not written when it was stopped")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(body) == 0 {
		t.Skip("needs a file that holds something when the server is stopped")
	}
	at := random.IntN(len(body))
	switch how {
	case "flip":
		body[at] ^= byte(1 + random.IntN(255))
	case "zeros":
		at = random.IntN(max(1, len(body)-600))
		clear(body[at:min(len(body), at+600)])
	case "cut":
		at = len(body)/4 + random.IntN(len(body)/2)
		body = body[:at]
	case "cut at an entry":
		at = entry(body, len(body)/4+random.IntN(len(body)/2))
		body = body[:at]
	}
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s at byte %d of %s", how, at, path)
}

// entry is the end of the first record of a block that ends at or after an offset.
func entry(block []byte, behind int) int {
	at := 0
	for at < behind {
		at += int(uint32(block[at]) | uint32(block[at+1])<<8 | uint32(block[at+2])<<16 | uint32(block[at+3]&0x7f)<<24)
	}
	return min(at, len(block))
}
