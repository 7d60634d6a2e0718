package embedded

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// recovered makes sure that the server opened every stream of its store. The server skips a stream
// that it cannot open, with a line of log. A service would then make the stream anew, and the pool
// would begin empty.
func (s *Server) recovered(running *server.Server) error {
	seen := s.witnesses(running, metaFiles{})
	if seen == nil {
		return nil // it has no disk, and says so when it is asked for its health
	}
	metas, err := filepath.Glob(filepath.Join(s.streams(), "*", "streams", "*", "meta.inf"))
	if err != nil {
		return err
	}
	var left []string
	for _, meta := range metas {
		dir := filepath.Dir(meta)
		key, _ := filepath.Rel(s.streams(), dir) // it was joined from it
		if _, there := seen[key]; !there && !strings.HasPrefix(filepath.Base(dir), ".") {
			left = append(left, dir)
		}
	}
	if len(left) == 0 {
		return nil
	}
	slices.Sort(left)
	return fmt.Errorf("embedded server: it could not open the stream in %s, which holds what was acknowledged; its log says why. "+
		"Put the folder back from a backup, or move it away, which loses the stream", strings.Join(left, " and "))
}
