package corruption

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/actors/jetstream/embedded"
	"lull/actors/jetstream/embedded/embeddedtest"
)

// TestContent damages what can be repaired from the rest: indexes, meta data and single
// bytes of messages. Every message of every stream must then be unchanged. Only the server
// is started, which is fast enough to try this for each stream.
func TestContent(t *testing.T) {
	damages := []struct{ file, how string }{
		{"msgs/index.db", "flip"}, {"msgs/index.db", "cut"}, {"msgs/index.db", "remove"},
		{"meta.inf", "flip"}, {"meta.inf", "cut"}, {"meta.inf", "remove"},
		{"meta.sum", "flip"}, {"meta.sum", "cut"}, {"meta.sum", "remove"},
		{"msgs/1.blk", "flip"},
	}
	for n, from := range prepared(t) {
		data := filepath.Join(t.TempDir(), "data")
		clone(t, from.data, data)
		want := content(t, data)
		for s, stream := range []string{logStream, inbox, quarantine, snapshots, lists, objects} {
			if len(want[stream]) == 0 {
				t.Errorf("stream %s before the damage is empty, want messages", stream)
			}
			for i, d := range damages {
				if !chosen(s+i, n) || stream == snapshots && d.how == "flip" && d.file == "msgs/1.blk" {
					continue // their messages are too long to be corrected: see cases
				}
				for try := range *more {
					t.Run(fmt.Sprintf("%s/%s %s, %s", stream, d.file, d.how, from.how), func(t *testing.T) {
						data := filepath.Join(t.TempDir(), "data")
						clone(t, from.data, data)
						damage(t, chance(100+s, i, n, try), store(data, stream, d.file), d.how)
						same(t, content(t, data), want)
					})
				}
			}
		}
	}
}

// content lists the messages of all streams of a folder as a server reads them.
func content(t *testing.T, data string) map[string][]string {
	t.Helper()
	server := embeddedtest.Start(t, embedded.Config{Dir: filepath.Join(data, "jetstream"), Tell: func(text string) { t.Log(text) }})
	js, err := upstream.New(embeddedtest.Conn(t, server))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for info := range js.ListStreams(t.Context()).Info() {
		stream, err := js.Stream(t.Context(), info.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		all[info.Config.Name] = messages(t, stream)
	}
	return all
}

// messages lists the messages of a stream and its last sequence.
func messages(t *testing.T, stream upstream.Stream) (list []string) {
	t.Helper()
	state := stream.CachedInfo().State
	for seq := state.FirstSeq; seq <= state.LastSeq; seq++ {
		m, err := stream.GetMsg(t.Context(), seq)
		if errors.Is(err, upstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%d %s %v %x", m.Sequence, m.Subject, m.Header, sha256.Sum256(m.Data)))
	}
	return append(list, fmt.Sprint("the last is ", state.LastSeq))
}

func same(t *testing.T, got, want map[string][]string) {
	t.Helper()
	for stream, list := range want {
		if !slices.Equal(got[stream], list) {
			t.Errorf("stream %s =\n%s\nwant\n%s", stream, strings.Join(got[stream], "\n"), strings.Join(list, "\n"))
		}
	}
}
