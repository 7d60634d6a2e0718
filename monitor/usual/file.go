package usual

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Load reads what Save wrote. If there is no file, it returns an Idle that has seen nothing yet.
func Load(path string) (*Idle, error) {
	body, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return new(Idle), nil
	case err != nil:
		return nil, fmt.Errorf("saved average of idle cores: %w", err)
	case len(body) < sha256.Size:
		return nil, fmt.Errorf("saved average of idle cores: %s is truncated", path)
	}
	if sum := sha256.Sum256(body[sha256.Size:]); !bytes.Equal(sum[:], body[:sha256.Size]) {
		return nil, fmt.Errorf("saved average of idle cores: %s does not match its SHA-256", path)
	}
	i, err := Decode(body[sha256.Size:])
	if err != nil {
		return nil, fmt.Errorf("saved average of idle cores: %s: %w", path, err)
	}
	return i, nil
}

// Save replaces the file by body, as Encode made it. It is not synced: a power failure costs
// some minutes of observation, and the checksum finds half a file.
func Save(path string, body []byte) error {
	sum := sha256.Sum256(body)
	draft := path + ".new"
	err := os.WriteFile(draft, append(sum[:], body...), 0o600)
	if err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		_ = os.Remove(draft) // the disk may be full
		return fmt.Errorf("saved average of idle cores: %w", err)
	}
	return nil
}
