package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Endpoint is how to reach the lull that owns a folder. It holds a secret.
type Endpoint struct {
	URL     string `json:"url"`   // of the NATS server, by default on loopback
	Token   string `json:"token"` // that the server asks for
	Pool    string `json:"pool"`
	PID     int    `json:"pid"`
	Version string `json:"version"`
}

// Announce writes the endpoint, whole or not at all.
func (f *Folder) Announce(e Endpoint) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	draft := f.Path(".endpoint")
	if err := os.WriteFile(draft, append(body, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the endpoint: %w", err)
	}
	return os.Rename(draft, endpointPath(f.Dir))
}

// Withdraw removes the endpoint.
func (f *Folder) Withdraw() error {
	err := os.Remove(endpointPath(f.Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// startup is how long an owner may take from its lock to its endpoint: it
// reads back its streams in between.
const startup = 10 * time.Second

// Find returns the endpoint of the lull that owns dir, if one does. It waits
// for one that is just starting.
func Find(dir string) (Endpoint, bool) {
	for end := time.Now().Add(startup); taken(dir); time.Sleep(20 * time.Millisecond) {
		if e, err := readEndpoint(dir); err == nil {
			return e, true
		}
		if time.Now().After(end) {
			break
		}
	}
	return Endpoint{}, false
}

func readEndpoint(dir string) (Endpoint, error) {
	var e Endpoint
	body, err := os.ReadFile(endpointPath(dir))
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(body, &e)
}

func endpointPath(dir string) string { return filepath.Join(dir, "endpoint") }
