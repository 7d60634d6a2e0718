package pin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"lull/subjects/spec"
)

// Again looks at files that were pinned before, and returns those that changed since, by path, with what they are now.
// pinned are whole or parts of them. A file that does not exist any more is an error: the job's list of inputs is
// another one then.
func Again(ctx context.Context, pinned []spec.Split) (map[string]spec.File, error) {
	seen, web, in := map[string]spec.Range{}, []string{}, &Inputs{}
	for _, split := range pinned {
		for _, r := range split.Ranges {
			if _, known := seen[r.Path]; known {
				continue
			}
			seen[r.Path] = r
			if spec.IsURL(r.Path) {
				web = append(web, r.Path)
			} else if err := in.addChanged(r); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if err := in.pinURLs(ctx, web); err != nil {
		return nil, err
	}
	if _, err := Await(ctx, func() (struct{}, error) { in.tag(); return struct{}{}, nil }); err != nil {
		return nil, err
	}
	changed := map[string]spec.File{}
	for _, f := range in.Files {
		if was := seen[f.Path]; !spec.IsURL(f.Path) || f.Size != was.Size || f.MTime != was.MTime || f.Tag != was.Tag {
			changed[f.Path] = f
		}
	}
	return changed, nil
}

// addChanged adds a file if it is not what was pinned.
func (in *Inputs) addChanged(was spec.Range) error {
	info, err := os.Stat(was.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist any more, and the tasks of a job read the files that it was submitted with: "+
			"put it back, or submit the job's document as a new job", was.Path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file any more: only files with a size can be pinned", was.Path)
	case info.Size() == was.Size && (was.MTime == 0 || info.ModTime().UnixNano() == was.MTime):
		return nil
	}
	return in.pin(was.Path, info)
}
