package fileserver

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
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
	w.Header().Set(agentpath.LogWhole, "1")
	w.Header().Set("Trailer", agentpath.LogCut)
	from := offset(r)
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	if r.URL.Query().Get(agentpath.Follow) == "" || ended == nil {
		copyFrom(w, path, from)
	} else {
		follow(w, r, path, from, ended)
	}
	if missing := store.LogCut(path).Missing; missing > 0 {
		w.Header().Set(agentpath.LogCut, strconv.FormatInt(missing, 10))
	}
}

// offset returns where a reader goes on, 0 for the beginning. It understands "bytes=N-" alone.
func offset(r *http.Request) int64 {
	text, _ := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	first, ok := strings.CutSuffix(text, "-")
	n, err := strconv.ParseInt(first, 10, 64)
	if !ok || err != nil {
		return 0
	}
	return max(n, 0)
}

// follow sends what is there and what comes, until the attempt ends.
func follow(w http.ResponseWriter, r *http.Request, path string, sent int64, ended <-chan struct{}) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for last := false; !last; {
		sent += copyFrom(w, path, sent)
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler) // the agent stops: the reader must not take this for the end
		case <-ended:
			last = true
		case <-tick.C:
		}
	}
	copyFrom(w, path, sent)
}

// copyFrom sends a log from an offset on. If it cannot be read, the answer breaks off, so that its reader does not
// take it for whole.
func copyFrom(w io.Writer, path string, offset int64) int64 {
	f, err := store.OpenLog(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer f.Close() //nolint:errcheck // read only
	info, err := f.Stat()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if !info.Mode().IsRegular() || info.Size() <= offset {
		return 0
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		panic(http.ErrAbortHandler)
	}
	n, err := io.Copy(w, f)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return n
}
