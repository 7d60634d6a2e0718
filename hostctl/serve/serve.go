package serve

import (
	"errors"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"lull/hostctl/store"
)

// Live knows the attempts that run now, of which the store has no link yet.
type Live interface {
	// Running returns the folder of an attempt that has not ended, and a
	// channel that is closed when it does.
	Running(attempt uint64) (f store.Folder, ended <-chan struct{}, ok bool)
}

type server struct {
	store *store.Store
	live  Live
}

// Handler serves what the store keeps to those with a ticket that is good.
func Handler(s *store.Store, live Live, good func(ticket string) bool) http.Handler {
	h := &server{s, live}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/attempts/{id}/manifest", h.manifest)
	mux.HandleFunc("GET /v1/attempts/{id}/files/{path...}", h.file)
	mux.HandleFunc("GET /v1/parts/{path...}", h.parts)
	mux.HandleFunc("GET /v1/attempts/{id}/{log}", h.attemptLog)
	mux.HandleFunc("GET /v1/tasks/{job}/{stage}/{task}/{log}", h.taskLog)
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
	f, ok := h.kept(w, r)
	if !ok {
		return
	}
	b, err := f.Manifest()
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/msgpack")
	_, _ = w.Write(b) // a reader that is gone needs no answer
}

func (h *server) file(w http.ResponseWriter, r *http.Request) {
	f, ok := h.kept(w, r)
	if !ok {
		return
	}
	file, err := f.Open(r.PathValue("path"))
	if err != nil {
		refuse(w, err)
		return
	}
	defer file.Close() //nolint:errcheck // read only
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		http.Error(w, "not a file", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// kept finds the attempt that the request names.
func (h *server) kept(w http.ResponseWriter, r *http.Request) (store.Folder, bool) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err == nil {
		if f, ok := h.store.Find(id); ok {
			return f, true
		}
	}
	http.Error(w, "attempt "+r.PathValue("id")+" wrote nothing, or this host does not keep it any more", http.StatusNotFound)
	return store.Folder{}, false
}

func refuse(w http.ResponseWriter, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "not kept", http.StatusNotFound)
		return
	}
	http.Error(w, "it cannot be read", http.StatusInternalServerError)
}
