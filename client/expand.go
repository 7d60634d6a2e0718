package client

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"lull/client/pin"
	"lull/subjects/spec"
)

// Bounds of a list of splits in the document itself, in number and bytes. The client stores longer lists in
// the pool, and the document names them.
const (
	inlineSplits = 64
	inlineBytes  = 64 << 10
)

// Expand looks up the document's inputs on this machine and replaces them by splits. The document then
// names every byte that the job will read, and can be sent. Relative paths start at folder. Expand stores
// long lists, and files that are sent along, in the pool; the document names them by their digests. Errors
// of the document are of type *spec.Error.
func (c *Client) Expand(ctx context.Context, doc *spec.Doc, folder string) error {
	if err := localisePaths(ctx, doc, folder); err != nil {
		return err
	}
	if err := fillFiles(ctx, doc, folder, fileStore{c}.keep); err != nil {
		return err
	}
	for _, need := range doc.Needs() {
		if err := c.fill(ctx, doc, need, folder); err != nil {
			return err
		}
	}
	return nil
}

// localisePaths makes the document's folders absolute, records the name of this machine, and reads the
// files from which the document takes environment variables.
func localisePaths(ctx context.Context, doc *spec.Doc, folder string) error {
	if doc.Output != "" && !filepath.IsAbs(doc.Output) {
		doc.Output = filepath.Join(realFolder(folder), doc.Output)
	}
	for i := range doc.Stages {
		if dir := doc.Stages[i].Dir; dir != "" && !filepath.IsAbs(dir) {
			doc.Stages[i].Dir = filepath.Join(folder, dir)
		}
	}
	doc.Origin = hostname()
	return fillEnv(ctx, doc, folder)
}

// realFolder returns a folder's path without symbolic links, or the path as given if it cannot be resolved.
// The path of a shell's working folder may contain links, and publishing follows none.
func realFolder(folder string) string {
	if path, err := filepath.EvalSymlinks(folder); err == nil {
		return path
	}
	return folder
}

func tooMany(doc *spec.Doc, need spec.Need) error {
	return doc.Errorf(need.Path, "these are more than %d tasks, the most that are allowed: give each task more with split: or group:", spec.MaxTasks)
}

func (c *Client) fill(ctx context.Context, doc *spec.Doc, need spec.Need, folder string) error {
	l, err := expandNeed(ctx, need, folder)
	if err != nil {
		return faultOf(ctx, doc, need, err)
	}
	doc.FillReading(need.Stage, l.bytes, l.dataNodes)
	if l.tasks > spec.MaxTasks {
		return tooMany(doc, need)
	}
	if l.tasks <= inlineSplits {
		splits := slices.Collect(l.splits)
		if body, err := json.Marshal(splits); err == nil && len(body) <= inlineBytes && !slices.ContainsFunc(splits, notUTF8) {
			doc.FillSplits(need.Stage, splits)
			return nil
		}
	}
	name, err := c.putChunks(ctx, l)
	if err != nil {
		return err
	}
	doc.FillList(need.Stage, uint32(l.tasks), l.chunk, name)
	return nil
}

// faultOf turns an error about what a stage needs into one that names the place in the document. If ctx has
// ended, it returns the error of ctx instead.
func faultOf(ctx context.Context, doc *spec.Doc, need spec.Need, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return doc.Errorf(need.Path, "%v", err)
}

// notUTF8 reports whether a split has text that is not UTF-8, such as a file's name from an old archive. JSON
// would replace the invalid bytes by U+FFFD, and the task would get a different text.
func notUTF8(s spec.Split) bool {
	return !utf8.ValidString(s.Param) || slices.ContainsFunc(s.Ranges, func(r spec.Range) bool { return !utf8.ValidString(r.Path) })
}

// expandNeed lists the splits of a stage, from the files or lines that it needs on this machine.
func expandNeed(ctx context.Context, need spec.Need, folder string) (list, error) {
	if need.Inputs != nil {
		return lookForFiles(ctx, need, folder)
	}
	lines, err := need.Lines, error(nil)
	if need.Each != "" {
		lines, err = pin.Lines(ctx, folder, need.Each)
	}
	for n, line := range lines {
		if err == nil {
			if err = (spec.Split{Param: line}).Validate(); err != nil {
				err = fmt.Errorf("line %d: %w", n+1, err)
			}
		}
	}
	return list{tasks: len(lines), chunk: spec.ChunkTasks, splits: params(lines)}, err
}

func lookForFiles(ctx context.Context, need spec.Need, folder string) (l list, err error) {
	in, err := pin.Files(ctx, folder, need.Inputs)
	if err != nil {
		return list{}, err
	}
	if err := in.Cut(ctx, need); err != nil {
		return list{}, err
	}
	l.tasks = spec.CountSplits(in.Files, need.Split, need.Group)
	if l.tasks > spec.MaxTasks {
		return l, nil // the caller refuses it; to make all splits of a large file could take hours
	}
	l.splits = spec.Splits(in.Files, need.Split, need.Group)
	l.chunk = spec.ChunkOf(widest(l.splits))
	for _, f := range in.Files {
		l.bytes += f.Size
	}
	l.bytes /= int64(max(l.tasks, 1))
	l.dataNodes = in.DataNodes("/", hostname())
	return l, nil
}
