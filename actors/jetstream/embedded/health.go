package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/nats-io/nats-server/v2/server"
)

// Healthz asks the server for its health: JetStream and every stream of it.
func (s *Server) Healthz() error {
	s.mu.Lock()
	running := s.mu.running
	s.mu.Unlock()
	if running == nil {
		return errors.New("the embedded server is not running")
	}
	status := running.Healthz(&server.HealthzOptions{Details: true})
	if status.StatusCode == http.StatusOK {
		return nil
	}
	errs := slices.DeleteFunc(status.Errors, s.unmade)
	if len(errs) == 0 && status.Error == "" {
		return nil
	}
	err := fmt.Errorf("the embedded server is not healthy: %s", status.Error)
	for _, detail := range errs {
		err = fmt.Errorf("%w; %s", err, detail.Error)
	}
	return err
}

// unmade reports whether an error is about a stream that was not made yet. The server
// takes a folder with the staging of its batches alone for a stream that is lost.
func (s *Server) unmade(e server.HealthzError) bool {
	if e.Type != server.HealthzErrorStream {
		return false
	}
	_, err := os.Lstat(filepath.Join(s.streams(), e.Account, "streams", e.Stream, "meta.inf"))
	return errors.Is(err, fs.ErrNotExist)
}
