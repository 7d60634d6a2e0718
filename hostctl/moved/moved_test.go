package moved

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestBothEndsCountWhatAFileServerSends(t *testing.T) {
	const size = 5<<20 + 7
	path := filepath.Join(t.TempDir(), "file")
	want := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	var server, client Counter
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) }))
	_ = web.Listener.Close()
	web.Listener = server.Listener(l)
	web.Start()
	defer web.Close()
	begin := time.Unix(1, 0)
	for _, c := range []*Counter{&server, &client} {
		if in, out := c.Rates(begin); in != 0 || out != 0 {
			t.Errorf("Rates before anything moved = %g, %g, want 0, 0", in, out)
		}
	}
	dialer := net.Dialer{}
	transport := &http.Transport{DialContext: client.Dial(dialer.DialContext)}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, web.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("bytes that came = %d, %v, want %d as sent", len(got), err, len(want))
	}
	const headers = 1000
	end := begin.Add(2 * time.Second)
	if in, _ := client.Rates(end); in < size/2 || in > size/2+headers {
		t.Errorf("client's rate of %d bytes in 2 s = %g, want half and some headers", size, in)
	}
	if _, out := server.Rates(end); out < size/2 || out > size/2+headers {
		t.Errorf("server's rate of %d bytes in 2 s = %g, want half and some headers", size, out)
	}
}

func TestWithoutACounterNothingIsWrapped(t *testing.T) {
	var c *Counter
	if in, out := c.Rates(time.Now()); in != 0 || out != 0 || c.Listener(nil) != nil {
		t.Errorf("a nil counter counts %g in, %g out, or listens, want nothing", in, out)
	}
}
