// Package build says what this binary was built from.
package build

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Info says what a binary was built from.
type Info struct {
	Version  string `json:"version"`            // of the module, "devel" for a working copy
	Revision string `json:"revision,omitempty"` // of the commit
	Time     string `json:"time,omitempty"`     // of the commit
	Modified bool   `json:"modified,omitempty"` // built from files that are in no commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// This returns what the Go compiler wrote into this binary.
func This() Info {
	b := Info{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String returns one line, such as "lull v1.2.0, commit 0123456789ab (go1.26, linux/amd64)".
func (b Info) String() string {
	line := []string{"lull " + b.Version}
	if b.Revision != "" {
		commit := "commit " + b.Revision[:min(12, len(b.Revision))]
		if b.Modified {
			commit += " with changes"
		}
		line = append(line, commit)
	}
	return fmt.Sprintf("%s (%s, %s)", strings.Join(line, ", "), b.Go, b.Platform)
}
