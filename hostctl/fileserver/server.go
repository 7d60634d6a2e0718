package fileserver

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"lull/client/holes"
	"lull/hostctl/store"
	"lull/subjects/agentpath"
)

// Live knows the attempts that run now, of which the store has no link yet.
type Live interface {
	// Running returns the folder of an attempt that has not ended, and a
	// channel that is closed when it does.
	Running(attempt uint64) (f store.Folder, ended <-chan struct{}, ok bool)
	// Missed is called when a reader with a valid ticket asks for an output that is not here.
	Missed()
	// Doubt reports that the output of an attempt may be damaged.
	Doubt(attempt uint64)
}

type server struct {
	store *store.Store
	live  Live
}

// Handler serves the store's outputs and logs to requests with a valid ticket, and what more adds.
func Handler(s *store.Store, live Live, good func(ticket string) bool, more ...func(*http.ServeMux)) http.Handler {
	h := &server{s, live}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+agentpath.ManifestPattern, h.manifest)
	mux.HandleFunc("GET "+agentpath.FilePattern, h.file)
	mux.HandleFunc("GET "+agentpath.PartsPattern, h.parts)
	mux.HandleFunc("GET "+agentpath.LogPattern, h.attemptLog)
	mux.HandleFunc("GET "+agentpath.TaskLogPattern, h.taskLog)
	for _, add := range more {
		add(mux)
	}
	return authorized(mux, good)
}

func authorized(next http.Handler, good func(string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ticket, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || !good(ticket) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the ticket is missing, has expired or is not this host's: ask for one on the host's ticket subject", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (h *server) manifest(w http.ResponseWriter, r *http.Request) {
	f, ok := h.output(w, r)
	if !ok {
		return
	}
	if r.URL.Query().Has(agentpath.Damaged) {
		h.live.Doubt(f.Attempt)
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, f.Path) // a reader that is gone needs no answer
		return
	}
	b, err := f.Output().Manifest()
	if err != nil {
		h.refuse(w, f, err)
		return
	}
	w.Header().Set("Content-Type", "application/msgpack")
	_, _ = w.Write(b) // a reader that is gone needs no answer
}

func (h *server) file(w http.ResponseWriter, r *http.Request) {
	f, ok := h.output(w, r)
	if !ok {
		return
	}
	file, err := f.Output().Open(r.PathValue("path"))
	if err != nil {
		h.refuse(w, f, err)
		return
	}
	defer file.Close() //nolint:errcheck // read only
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		http.Error(w, "not a file", http.StatusNotFound)
		return
	}
	var content io.ReadSeeker = file
	if r.URL.Query().Has(agentpath.Data) {
		data, err := f.Output().Data(r.PathValue("path"))
		if err != nil {
			h.refuse(w, f, err)
			return
		}
		content = holes.NewReader(file, data)
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", info.ModTime(), content)
}

// kept finds the attempt that the request names.
func (h *server) kept(w http.ResponseWriter, r *http.Request) (store.Folder, bool) {
	where := h.store.Root()
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err == nil {
		f, ok := h.store.Find(id)
		if ok {
			return f, true
		}
		where = cmp.Or(f.Path, where)
	}
	http.Error(w, "attempt "+r.PathValue("id")+" wrote nothing, or is not in "+where+" any more", http.StatusNotFound)
	return store.Folder{}, false
}

// output is kept, for what a task committed.
func (h *server) output(w http.ResponseWriter, r *http.Request) (store.Folder, bool) {
	f, ok := h.kept(w, r)
	if !ok {
		h.live.Missed()
	}
	return f, ok
}

func (h *server) refuse(w http.ResponseWriter, f store.Folder, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		h.live.Missed()
		http.Error(w, "it is not in "+f.Path+" any more", http.StatusNotFound)
		return
	}
	h.live.Doubt(f.Attempt)
	http.Error(w, "it cannot be read", http.StatusInternalServerError)
}
