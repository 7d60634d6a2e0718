package fileserver

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/agentpath"
)

// followEvery is how often a log that is followed is looked at.
const followEvery = 100 * time.Millisecond

func (h *server) attemptLog(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "the attempt's id is no number", http.StatusBadRequest)
		return
	}
	if f, ended, ok := h.live.Running(id); ok {
		h.log(w, r, f, ended)
		return
	}
	if f, ok := h.kept(w, r); ok {
		h.log(w, r, f, nil)
	}
}

func (h *server) taskLog(w http.ResponseWriter, r *http.Request) {
	stage, err1 := strconv.ParseUint(r.PathValue("stage"), 10, 32)
	task, err2 := strconv.ParseUint(r.PathValue("task"), 10, 32)
	if err1 != nil || err2 != nil || subjects.CheckToken("job", r.PathValue("job")) != nil {
		http.Error(w, "name a task as job, stage number and task number", http.StatusBadRequest)
		return
	}
	f, err := h.store.Latest(store.Task{Job: r.PathValue("job"), Stage: uint32(stage), Task: uint32(task)})
	if err != nil {
		http.Error(w, "nothing of this task is kept here", http.StatusNotFound)
		return
	}
	_, ended, _ := h.live.Running(f.Attempt)
	h.log(w, r, f, ended)
}

// log sends what was written so far. A log without a byte has no file.
func (h *server) log(w http.ResponseWriter, r *http.Request, f store.Folder, ended <-chan struct{}) {
	path, ok := map[string]string{agentpath.Stdout: f.Stdout(), agentpath.Stderr: f.Stderr()}[r.PathValue("log")]
	if !ok {
		http.Error(w, "ask for stdout or stderr", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Lull-Attempt", strconv.FormatUint(f.Attempt, 10))
	if r.URL.Query().Get(agentpath.Follow) == "" || ended == nil {
		copyFrom(w, path, 0)
		return
	}
	follow(w, r, path, ended)
}

// follow sends what is there and what comes, until the attempt ends. A log
// over its bound loses its middle, so a follower may see old bytes again
// rather than miss new ones.
func follow(w http.ResponseWriter, r *http.Request, path string, ended <-chan struct{}) {
	var sent int64
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for last := false; !last; {
		sent += copyFrom(w, path, sent)
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-ended:
			last = true
		case <-tick.C:
		}
	}
	copyFrom(w, path, sent)
}

func copyFrom(w io.Writer, path string, offset int64) int64 {
	f, err := store.OpenLog(path)
	if err != nil {
		return 0
	}
	defer f.Close() //nolint:errcheck // read only
	if info, err := f.Stat(); err != nil || info.Size() <= offset {
		return 0
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return 0
	}
	n, _ := io.Copy(w, f)
	return n
}
