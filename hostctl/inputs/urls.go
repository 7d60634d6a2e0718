package inputs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"

	"lull/hostctl/lines"
	"lull/hostctl/remote"
	"lull/hostctl/store"
	"lull/subjects/spec"
)

// download replaces ranges of URLs by files of their lines in the attempt's in/ folder. The task
// reads them like any other input, as often as it likes, and does not wait for the network.
func (g *Gatherer) download(ctx context.Context, folder store.Folder, ranges []spec.Range) ([]spec.Range, error) {
	if !slices.ContainsFunc(ranges, func(r spec.Range) bool { return spec.IsURL(r.Path) }) {
		return ranges, nil
	}
	var local []spec.Range
	for i, from := range ranges {
		if !spec.IsURL(from.Path) {
			local = append(local, from)
			continue
		}
		to := filepath.Join(folder.In(), fmt.Sprintf("%05d", i), baseOf(from.Path))
		n, err := remote.Fetch(ctx, &g.fetch.HTTP, from, to)
		var input *lines.InputError
		switch {
		case errors.As(err, &input):
			return nil, broken(err)
		case err != nil:
			return nil, transport(err)
		}
		local = append(local, spec.Range{Path: to, Size: n, Length: n, Ends: from.Ends})
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
