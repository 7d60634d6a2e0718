package fileserver

import (
	"encoding/binary"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"lull/hostctl/store"
	"lull/subjects/agentpath"
)

// parts sends the file of one name of several attempts, for tasks that read by partition. For
// each it sends the size plus one in eight bytes, big-endian, and the bytes; or zero if there
// is no file.
func (h *server) parts(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	for id := range strings.SplitSeq(r.URL.Query().Get(agentpath.Attempts), ",") {
		if err := h.part(w, id, r.PathValue("path")); err != nil {
			panic(http.ErrAbortHandler) // part of a file was sent: the reader must not take the next bytes for the rest of it
		}
	}
}

func (h *server) part(w io.Writer, id, path string) error {
	file, size := h.open(id, path)
	if file == nil {
		h.live.Missed()
	}
	if err := binary.Write(w, binary.BigEndian, uint64(size+1)); err != nil || file == nil {
		return err
	}
	defer file.Close() //nolint:errcheck // read only
	_, err := io.CopyN(w, file, size)
	return err
}

// open opens a file of a kept attempt; nil and −1 if there is none.
func (h *server) open(id, path string) (*os.File, int64) {
	attempt, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return nil, -1
	}
	var f store.Folder
	var ok bool
	if f, ok = h.store.Find(attempt); !ok {
		return nil, -1
	}
	file, err := f.Output().Open(path)
	if err != nil {
		return nil, -1
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		_ = file.Close() // read only
		return nil, -1
	}
	return file, info.Size()
}
