package prometheus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lull/cmd/lull/exit"
	"lull/subjects/history"
)

var (
	// errTooMany says that the server refuses to look at so many samples at once.
	errTooMany = errors.New("the query takes more samples than the server allows at once (--query.max-samples), even for an hour: narrow it")
	// errLater marks an error that may be gone at the next try.
	errLater = errors.New("run the import again: it completes what is missing")
)

// mostBytes bounds an answer.
const mostBytes = 4 << 30

// ask asks once for the steps from first on and before end.
func (s *Source) ask(ctx context.Context, client *http.Client, first, end int64) ([]found, error) {
	form := url.Values{
		"query": {s.Query}, "step": {strconv.Itoa(int(history.Step.Seconds()))},
		"start": {strconv.FormatInt(history.TimeOf(first+1).Unix(), 10)}, "end": {strconv.FormatInt(history.TimeOf(end).Unix(), 10)},
	}
	at := strings.TrimSuffix(s.URL, "/") + "/api/v1/query_range"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, usage("--prometheus %s: %w", s.URL, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.identify(req)
	answer, err := client.Do(req)
	if err != nil {
		return nil, s.unreached(ctx, err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind != "application/json" {
		return nil, s.refused(answer.StatusCode, "")
	}
	body := io.LimitReader(answer.Body, mostBytes)
	if answer.StatusCode != http.StatusOK {
		var problem struct {
			Error string `json:"error"`
		}
		_ = json.NewDecoder(io.LimitReader(body, 1<<20)).Decode(&problem)
		return nil, s.refused(answer.StatusCode, problem.Error)
	}
	series, err := decode(body)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return series, err
}

func (s *Source) identify(req *http.Request) {
	switch user, password, basic := strings.Cut(s.Secret, ":"); {
	case basic:
		req.SetBasicAuth(user, password)
	case s.Secret != "":
		req.Header.Set("Authorization", "Bearer "+s.Secret)
	}
}

// mostRedirects bounds the redirections of one question, as package http does by default.
const mostRedirects = 10

// follow refuses a redirection that would take the secret to another origin. Package http compares host names only,
// so it would send the secret to another port, to a subdomain, and from https to http.
func (s *Source) follow(to *http.Request, via []*http.Request) error {
	if s.Secret != "" && origin(to.URL) != origin(via[0].URL) {
		return usage("it redirects to %s, which does not get the credentials: give that address by --prometheus if it is the right server", origin(to.URL))
	}
	if len(via) >= mostRedirects {
		return usage("it redirects more than %d times: correct --prometheus", mostRedirects)
	}
	return nil
}

// origin returns scheme, host and port of a URL.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// unreached says why there was no answer.
func (s *Source) unreached(ctx context.Context, err error) error {
	var unknown x509.UnknownAuthorityError
	var wrong *tls.CertificateVerificationError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case exit.Code(err) == exit.Usage:
		return err
	case errors.As(err, &unknown), errors.As(err, &wrong):
		return usage("%w: name the file with the server's authority by --prometheus-ca", err)
	}
	return fmt.Errorf("%w: check the address; %w", err, errLater)
}

// refused says what an answer other than 200 means.
func (s *Source) refused(status int, text string) error {
	if text = strings.TrimSpace(text); text == "" {
		text = http.StatusText(status)
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return usage("%s refuses the credentials (%d, %s): give a token, or USER:PASSWORD, that may query, by --prometheus-token-file", s.URL, status, text)
	case status == http.StatusUnprocessableEntity && strings.Contains(text, "too many samples"):
		return exit.With(exit.Usage, errTooMany)
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return usage("%s cannot evaluate the query (%d): %s: correct --query", s.URL, status, text)
	case status >= http.StatusInternalServerError, status == http.StatusTooManyRequests:
		return fmt.Errorf("%s is not able to answer (%d): %s; %w", s.URL, status, text, errLater)
	}
	return usage("%s is no Prometheus server (%d, %s): give the URL before /api/v1", s.URL, status, text)
}

// usage makes an error that the user corrects on the command line.
func usage(format string, args ...any) error {
	return exit.With(exit.Usage, fmt.Errorf(format, args...))
}
