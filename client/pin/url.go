package pin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"lull/subjects/spec"
)

const (
	lookAtOnce = 16 // URLs
	lookWithin = 30 * time.Second
)

// pinURLs pins URLs.
func (in *Inputs) pinURLs(ctx context.Context, urls []string) error {
	found := make([]spec.File, len(urls))
	web := prober{&http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}}
	defer web.CloseIdleConnections()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(lookAtOnce)
	for i, raw := range urls {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
			return fmt.Errorf("%s cannot be read by hosts: write https://host/path, without user, password and #fragment", raw)
		}
		in.nodes.addURL(u)
		group.Go(func() (err error) {
			if found[i], err = web.pin(ctx, u.String()); err != nil {
				err = fmt.Errorf("%s: %w", raw, err)
			}
			return err
		})
	}
	err := group.Wait()
	in.Files = append(in.Files, found...)
	return err
}

// prober asks servers about URLs.
type prober struct{ *http.Client }

// pin asks for what a later change would alter: size, time, entity tag.
func (b prober) pin(ctx context.Context, path string) (spec.File, error) {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	res, err := b.request(ctx, http.MethodHead, path, "") //nolint:bodyclose // it is
	if err != nil {
		return spec.File{}, err
	}
	f := spec.File{Path: path, Size: res.ContentLength, Tag: res.Header.Get("ETag")}
	if written, err := http.ParseTime(res.Header.Get("Last-Modified")); err == nil {
		f.MTime = written.UnixNano()
	}
	switch {
	case res.StatusCode != http.StatusOK:
		return f, fmt.Errorf("the server answers %s: check the address", res.Status)
	case f.Size < 0:
		return f, fmt.Errorf("the server does not send its size (Content-Length): download it and name the file")
	case f.Tag == "" && f.MTime == 0:
		return f, fmt.Errorf("the server gives neither ETag nor Last-Modified, so a change would go unnoticed: download it and name the file")
	}
	return f, b.ranges(ctx, path, res.Header.Get("Accept-Ranges"), f.Size)
}

// ranges refuses a server from which no part of a file can be read. Some offer
// ranges without saying so: they are tried.
func (b prober) ranges(ctx context.Context, path, accepts string, size int64) error {
	if accepts == "bytes" || size == 0 {
		return nil
	}
	if accepts == "" {
		res, err := b.request(ctx, http.MethodGet, path, "bytes=0-0") //nolint:bodyclose // it is
		if err != nil || res.StatusCode == http.StatusPartialContent {
			return err
		}
	}
	return fmt.Errorf("the server does not serve parts of a file (HTTP ranges), which tasks need: download it and name the file")
}

func (b prober) request(ctx context.Context, method, path, part string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // sizes and parts are those of the file
	if part != "" {
		req.Header.Set("Range", part)
	}
	res, err := b.Do(req)
	if err != nil {
		return nil, err
	}
	return res, res.Body.Close() // its head is all that counts
}
