package jobs

import (
	"context"
	"errors"

	"lull/client"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/spec"
)

// send expands the document on this machine and submits it.
func (d *document) send(ctx context.Context, c *client.Client, hosts foldLog, doc *spec.Doc, name string) (job string, err error) {
	if d.ID != "" {
		if err := subjects.CheckToken("--id", d.ID); err != nil {
			return "", cli.FileError(name, err)
		}
	}
	if err := d.decideReplace(doc); err != nil {
		return "", err
	}
	folder, err := cli.Folder(name)
	if err != nil {
		return "", err
	}
	if err := c.Expand(ctx, doc, folder); err != nil {
		if ctx.Err() != nil {
			return "", errNotSent
		}
		return "", asFileError(name, err)
	}
	if err := findOthers(ctx, c, doc); err != nil {
		return "", asFileError(name, err)
	}
	if _, err := doc.Job(); err != nil {
		return "", asFileError(name, err)
	}
	if err := d.checkOutput(hosts, doc); err != nil {
		return "", asFileError(name, err)
	}
	return d.submit(ctx, c, doc)
}

// submit reports an id that another document has as a rejection: the pool does not run this one.
func (d *document) submit(ctx context.Context, c *client.Client, doc *spec.Doc) (job string, err error) {
	if d.ID == "" {
		return c.Submit(ctx, doc, client.NewID())
	}
	job, err = client.SubmitAs(ctx, c, doc, d.ID)
	if errors.Is(err, client.ErrTaken) {
		return "", exit.With(exit.Rejected, err)
	}
	return job, err
}

// errNotSent is said of a job that an interrupt came before.
var errNotSent = exit.With(exit.Interrupted, errors.New("interrupted before the job was handed over"))

// asFileError blames the file for errors that are in it, and for no others.
func asFileError(name string, err error) error {
	var at *spec.Error
	if errors.As(err, &at) {
		return cli.FileError(name, err)
	}
	return err
}
