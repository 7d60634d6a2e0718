package prometheus

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/dial"
	"lull/subjects/history"
)

var (
	now   = time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC)
	end   = history.Slot(now)
	first = end - int64(history.Days*history.PerDay)
)

// fake answers as a Prometheus server whose series is the number of the step, in thousandths of a
// month's steps.
type fake struct {
	t        *testing.T
	most     int // points that it loads at once; 0: any number
	points   int // of the largest answer
	requests int
	next     []http.HandlerFunc // answers before those
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.requests++
	if len(f.next) > 0 {
		answer := f.next[0]
		f.next = f.next[1:]
		answer(w, r)
		return
	}
	from, to, step := number(f.t, r, "start"), number(f.t, r, "end"), number(f.t, r, "step")
	n := (to-from)/step + 1
	f.points = max(f.points, n)
	if f.most > 0 && n > f.most {
		fail(w, http.StatusUnprocessableEntity, "query processing would load too many samples into memory in query execution")
		return
	}
	if n > 11_000 {
		fail(w, http.StatusBadRequest, "exceeded maximum resolution of 11,000 points per timeseries")
		return
	}
	var values [][2]any
	for at := from; at <= to; at += step {
		values = append(values, [2]any{at, strconv.FormatFloat(valueAt(at), 'g', -1, 64)})
	}
	say(w, series(map[string]string{"instance": "web-1:9100"}, values...))
}

func valueAt(unix int) float64 { return float64(int64(unix)/120-1-first) / float64(end-first) }

func number(t *testing.T, r *http.Request, name string) int {
	n, err := strconv.Atoi(r.FormValue(name))
	if err != nil {
		t.Errorf("parameter %s = %q (%v), want a number", name, r.FormValue(name), err)
	}
	return n
}

func series(metric map[string]string, values ...[2]any) map[string]any {
	return map[string]any{"metric": metric, "values": values}
}

func say(w http.ResponseWriter, all ...map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": map[string]any{"resultType": "matrix", "result": all}})
}

func fail(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"status": "error", "errorType": "execution", "error": text})
}

// answers makes a handler of a text.
func answers(status int, kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}
}

// month reads a month from the fake, and checks that each step came once.
func month(t *testing.T, f *fake) error {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	from := Source{URL: server.URL + "/", Query: "usage", Host: "instance", Pause: time.Nanosecond}
	seen := make([]int, end-first)
	err := from.Read(t.Context(), first, end, func(s Series) error {
		if s.Host != "web-1" {
			t.Errorf("host of the series = %q, want web-1", s.Host)
		}
		for i, v := range s.Values {
			slot := s.First + int64(i)
			if seen[slot-first]++; !s.Known[i] || math.Abs(v-float64(slot-first)/float64(end-first)) > 1e-9 {
				t.Fatalf("value of step %d = %g (known: %v), want %g", slot-first, v, s.Known[i], float64(slot-first)/float64(end-first))
			}
		}
		return nil
	})
	if err == nil {
		for i, n := range seen {
			if n != 1 {
				t.Fatalf("step %d of %d came %d times, want once", i, len(seen), n)
			}
		}
	}
	return err
}

func TestAMonthComesInDays(t *testing.T) {
	f := &fake{t: t}
	if err := month(t, f); err != nil || f.points > history.PerDay || f.requests > history.Days+1 {
		t.Errorf("Read() = %v, in %d requests of up to %d points, want at most %d of %d", err, f.requests, f.points, history.Days+1, history.PerDay)
	}
}

func TestAServerWithABoundIsAskedForLess(t *testing.T) {
	f := &fake{t: t, most: 100}
	if err := month(t, f); err != nil || f.requests < history.Days*history.PerDay/100 {
		t.Errorf("Read() = %v, in %d requests, want at least %d", err, f.requests, history.Days*history.PerDay/100)
	}
	if err := month(t, &fake{t: t, most: 10}); err == nil || exit.Code(err) != exit.Usage || !strings.Contains(err.Error(), "--query.max-samples") {
		t.Errorf("Read() from a server that refuses an hour = %v, want a usage error that names --query.max-samples", err)
	}
}

// A broken connection and a busy server are asked again. What came of half an answer does not count.
func TestATransientFailureIsTriedAgain(t *testing.T) {
	half := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "5000")
		answers(200, "application/json", `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"instance":"web-1"},"values":[[`)(w, r)
	}
	busy := func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusServiceUnavailable, "query timed out")
	}
	if err := month(t, &fake{t: t, next: []http.HandlerFunc{half, busy}}); err != nil {
		t.Errorf("Read() after half an answer and a busy server = %v, want no error", err)
	}
	err := month(t, &fake{t: t, next: []http.HandlerFunc{half, half, half}})
	if err == nil || exit.Code(err) != exit.Error || !strings.Contains(err.Error(), "broke off") || !strings.Contains(err.Error(), "run the import again") {
		t.Errorf("Read() of half an answer each time = %v, want that it broke off, and to run the import again", err)
	}
}

func TestAnErrorSaysWhatToDo(t *testing.T) {
	at := history.TimeOf(first + 1).Unix()
	of := func(all ...map[string]any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { say(w, all...) }
	}
	one := func(name string) map[string]any { return series(map[string]string{name: "a"}, [2]any{at, "0.5"}) }
	twin := series(map[string]string{"instance": "a:9100", "cpu": "1"}, [2]any{at, "0.5"})
	for what, c := range map[string]struct {
		answer http.HandlerFunc
		code   int
		want   string
	}{
		"401":         {answers(401, "text/plain", "Unauthorized"), exit.Usage, "--prometheus-token-file"},
		"403":         {answers(403, "text/html", "<html>"), exit.Usage, "refuses the credentials (403"},
		"422":         {func(w http.ResponseWriter, _ *http.Request) { fail(w, 422, "unknown function f") }, exit.Usage, "(422): unknown function f: correct --query"},
		"400":         {func(w http.ResponseWriter, _ *http.Request) { fail(w, 400, "parse error") }, exit.Usage, "parse error: correct --query"},
		"404":         {answers(404, "text/plain", "404"), exit.Usage, "give the URL before /api/v1"},
		"a page":      {answers(200, "text/html", "<html>"), exit.Usage, "is no Prometheus server"},
		"another":     {answers(200, "application/json", `{"status":"success","data":{"resultType":"vector","result":[]}}`), exit.Usage, `result "vector"`},
		"a list":      {answers(200, "application/json", `[1]`), exit.Usage, "does not come from Prometheus"},
		"a warning":   {answers(200, "application/json", `{"status":"success","warnings":["store-2 is down"],"data":{"resultType":"matrix","result":[]}}`), exit.Error, "may be incomplete: store-2 is down"},
		"no label":    {of(one("host")), exit.Usage, `the series {host="a"} has no label "instance"`},
		"two series":  {of(one("instance"), twin), exit.Usage, `host a at 2026-04-30T12:02:00Z: two series have a value, {instance="a"} and {cpu="1", instance="a:9100"}: aggregate`},
		"the future":  {of(series(map[string]string{"instance": "a"}, [2]any{now.Unix() + 3600, "0.5"})), exit.Usage, "host a at 2026-05-31T13:00:00Z: the server was asked for the time from"},
		"odd moments": {of(series(map[string]string{"instance": "a"}, [2]any{at + 7, "0.5"})), exit.Usage, "was asked for the time"},
		"no number":   {of(series(map[string]string{"instance": "a"}, [2]any{at, "half"})), exit.Error, "damaged"},
	} {
		err := month(t, &fake{t: t, next: []http.HandlerFunc{c.answer, c.answer, c.answer}})
		if err == nil || exit.Code(err) != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Read() = %v (exit code %d), want %q and exit code %d", what, err, exit.Code(err), c.want, c.code)
		}
	}
}

func TestLabelsNameHostAndTenant(t *testing.T) {
	for label, want := range map[string]string{"web-1": "web-1", "web-1:9100": "web-1", "10.0.0.7:9100": "10-0-0-7", "[fe80::1]:9100": "fe80::1", "a:b": "a:b"} {
		if got := hostOf(label); got != want {
			t.Errorf("hostOf(%q) = %s, want %s", label, got, want)
		}
	}
	s := Source{Host: "node", Tenant: "team"}
	if host, tenant, err := s.named(map[string]string{"node": "n", "team": "web"}); host != "n" || tenant != "web" || err != nil {
		t.Errorf("named(n, web) = %s, %s, %v, want n, web", host, tenant, err)
	}
	for _, metric := range []map[string]string{{"node": "n"}, {"node": "n", "team": "my shop"}, {"team": "web"}} {
		if _, _, err := s.named(metric); exit.Code(err) != exit.Usage {
			t.Errorf("named(%v) = %v, want a usage error", metric, err)
		}
	}
}

// The secret travels as a bearer token or as a user's password, and the authority of the
// certificate comes from a file.
func TestSecretAndAuthority(t *testing.T) {
	var got string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		say(w)
	}))
	t.Cleanup(server.Close)
	server.Config.ErrorLog = nil
	from := Source{URL: server.URL, Query: "q", Host: "instance", Pause: time.Nanosecond}
	read := func() error { return from.Read(t.Context(), end-1, end, func(Series) error { return nil }) }
	if err := read(); exit.Code(err) != exit.Usage || !strings.Contains(fmt.Sprint(err), "--prometheus-ca") {
		t.Errorf("Read() from an unknown authority = %v, want a usage error that names --prometheus-ca", err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	roots, err := dial.Roots("--prometheus-ca", file)
	if err != nil {
		t.Fatal(err)
	}
	from.Roots = roots
	for secret, want := range map[string]string{"": "", "abc": "Bearer abc", "me:word": "Basic bWU6d29yZA=="} {
		from.Secret = secret
		if err := read(); err != nil || got != want {
			t.Errorf("Read() with secret %q = %v, with Authorization %q, want %q", secret, err, got, want)
		}
	}
	from.URL = "http://127.0.0.1:1"
	if err := read(); exit.Code(err) != exit.Error || !strings.Contains(err.Error(), "run the import again") {
		t.Errorf("Read() without a server = %v, want an error that says to run the import again", err)
	}
}
