package serve

import (
	"runtime"
	"runtime/debug"
)

// Build says what this binary was built from.
type Build struct {
	Version  string `json:"version"`            // of the module, "devel" for a working copy
	Revision string `json:"revision,omitempty"` // of the commit
	Time     string `json:"time,omitempty"`     // of the commit
	Modified bool   `json:"modified,omitempty"` // built from files that are in no commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// ThisBuild reads what the compiler wrote into the binary.
func ThisBuild() Build {
	b := Build{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
