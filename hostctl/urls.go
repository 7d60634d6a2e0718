package hostctl

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"

	"lull/hostctl/lines"
	"lull/hostctl/remote"
	"lull/subjects/spec"
)

// download replaces the ranges of URLs by files of their lines in the task's
// in/ folder. The task reads them like any other input, also as often as it
// likes, and is not the one to wait for the network.
func (a *Agent) download(r *run, ranges []spec.Range) ([]spec.Range, error) {
	if !slices.ContainsFunc(ranges, func(r spec.Range) bool { return spec.IsURL(r.Path) }) {
		return ranges, nil
	}
	var local []spec.Range
	for i, from := range ranges {
		if !spec.IsURL(from.Path) {
			local = append(local, from)
			continue
		}
		to := filepath.Join(r.folder.In(), fmt.Sprintf("%05d", i), baseOf(from.Path))
		n, err := remote.Fetch(r.setup, &a.fetch.HTTP, from, to)
		var input *lines.InputError
		switch {
		case errors.As(err, &input):
			return nil, broken(err)
		case err != nil:
			return nil, transport(err)
		}
		local = append(local, spec.Range{Path: to, Size: n, Length: n})
	}
	return local, nil
}

// baseOf is the last name in a URL's path: some programs go by what a file is
// called.
func baseOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "input"
	}
	switch base := path.Base(u.Path); base {
	case ".", "/", "..":
		return "input"
	default:
		return base
	}
}
