package fetch

import (
	"encoding/binary"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stream answers with a number of whole files, and then with what then writes.
func stream(whole int, then func(http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/parts/a/b" || r.URL.Query().Get("attempts") != "0,1,2,3" {
			http.Error(w, "wrong request", http.StatusBadRequest)
			return
		}
		for range whole {
			_ = binary.Write(w, binary.BigEndian, uint64(len(content)+1))
			_, _ = w.Write([]byte(content))
		}
		then(w)
	}
}

func one(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
}

// Many files arrive in one request, and those missing from it one by one.
func TestPartsComeTogether(t *testing.T) {
	for name, c := range map[string]struct {
		first http.HandlerFunc
		asked int32
	}{
		"all of them":      {stream(4, func(http.ResponseWriter) {}), 1},
		"it breaks off":    {stream(2, func(http.ResponseWriter) {}), 3},
		"one is not there": {stream(3, func(w http.ResponseWriter) { _, _ = w.Write(make([]byte, 8)) }), 2},
		"one is damaged": {stream(1, func(w http.ResponseWriter) {
			_ = binary.Write(w, binary.BigEndian, uint64(len(content)+1))
			damaged(w, nil)
		}), 4},
		"an older agent": {status(404), 5},
		"another size":   {stream(0, func(w http.ResponseWriter) { _ = binary.Write(w, binary.BigEndian, uint64(1<<60)) }), 5},
	} {
		t.Run(name, func(t *testing.T) {
			from, asked := serve(t, c.first, one)
			dir := t.TempDir()
			var parts []Part
			for i := range uint64(4) {
				parts = append(parts, Part{i, file(), dir + "/" + strconv.Itoa(int(i)) + "/part"})
			}
			var client Client
			if err := client.Parts(t.Context(), from, parts); err != nil || asked.Load() != c.asked {
				t.Errorf("%v; asked %d times, want %d", err, asked.Load(), c.asked)
			}
			for _, p := range parts {
				if b, err := os.ReadFile(p.To); err != nil || string(b) != content {
					t.Errorf("%s = %q (%v), want %q", p.To, b, err, content)
				}
			}
		})
	}
}
