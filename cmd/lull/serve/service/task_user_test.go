package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An agent of root starts only where its tasks can run as another user, or where
// a flag says that they run as root.
func TestTasksRunAsRootOnlyByAFlag(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose tasks run as another user")
	}
	top, err := os.MkdirTemp("/tmp", "lull-task-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	data := filepath.Join(top, "sub", "data") // does not exist yet
	var h HostConfig
	if err := h.CheckTaskUser(data); err == nil || !strings.Contains(err.Error(), "--task-user root") {
		t.Errorf("CheckTaskUser(a folder that others cannot pass through) = %v, want an error that names --task-user root", err)
	}
	for _, named := range []string{"root", "0"} {
		h.TaskUser = named
		if err := h.CheckTaskUser(data); err != nil {
			t.Errorf("CheckTaskUser() with --task-user %s = %v, want no error", named, err)
		}
	}
	h.TaskUser, h.Contain = "", "basic"
	if err := h.CheckTaskUser(data); err != nil {
		t.Errorf("CheckTaskUser() with --contain basic = %v, want no error", err)
	}
	h.Contain = ""
	if err := os.Chmod(top, 0o711); err != nil {
		t.Fatal(err)
	}
	if err := h.CheckTaskUser(data); err != nil {
		t.Errorf("CheckTaskUser(a folder that others can pass through) = %v, want no error", err)
	}
}
