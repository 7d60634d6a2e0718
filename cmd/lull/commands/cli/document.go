package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
	"lull/subjects/spec"
)

// Document is the job file that a command line names.
type Document struct {
	ID  string   // of the submission, "" for a new one
	set []string // NAME=VALUE

	deadline, late string // in place of the file's, "" for those
	atOnce         atOnce
}

// FileFlags adds the flags of a job file.
func (d *Document) FileFlags(cmd *cobra.Command) {
	d.VariableFlags(cmd)
	cmd.Flags().StringVar(&d.ID, "id", "", "id of the submission: two submissions with one id make one job")
}

// VariableFlags adds the flag that sets variables of a job file.
func (d *Document) VariableFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&d.set, "set", nil, "NAME=VALUE for ${NAME} in paths of the file; overrides the environment; may be repeated")
}

// DeadlineFlags adds the flags that replace the file's deadline.
func (d *Document) DeadlineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.deadline, "deadline", "", "deadline in place of the file's: 10m, 06:00, \"06:00 Europe/Berlin\", 2026-12-01T06:00:00Z")
	f.StringVar(&d.late, "late", "", "what becomes of a job whose deadline cannot be kept: reject, or run after all jobs whose deadlines can")
}

// Read parses the file and fills in its variables. The user has to correct a wrong file, so its errors have
// exit code 2.
func (d *Document) Read(path string, stdin io.Reader) (*spec.Doc, error) {
	lookup, err := d.lookup()
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	name, body, err := load(path, stdin)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	doc, err := spec.Parse(body)
	if err == nil {
		if err := d.SetDeadline(doc); err != nil {
			return nil, err
		}
		d.SetAtOnce(doc)
		err = doc.Substitute(lookup)
	}
	if err != nil {
		return nil, FileError(name, err)
	}
	return doc, nil
}

// SetDeadline gives a document the deadline of the flags, if there is one.
func (d *Document) SetDeadline(doc *spec.Doc) error {
	if err := doc.SetDeadline(d.deadline, d.late); err != nil {
		return exit.With(exit.Usage, fmt.Errorf("--%w", err))
	}
	if spec.NeedsZone(doc.Deadline) {
		if err := checkZone(os.Getenv("TZ")); err != nil {
			return exit.With(exit.Usage, fmt.Errorf("deadline %q: %w", doc.Deadline, err))
		}
	}
	doc.Fix(time.Now())
	return nil
}

// checkZone returns an error for a value of TZ that Go does not know, and takes for UTC without a word.
func checkZone(tz string) error {
	name := strings.TrimPrefix(tz, ":")
	if name == "" {
		return nil
	}
	var err error
	if filepath.IsAbs(name) {
		var data []byte
		if data, err = os.ReadFile(name); err == nil {
			_, err = time.LoadLocationFromTZData(name, data)
		}
	} else {
		_, err = time.LoadLocation(name)
	}
	if err != nil {
		return fmt.Errorf("the time zone of this process, TZ=%s, is not known: name one, as in 06:00 Europe/Berlin, or set TZ to such a name", tz)
	}
	return nil
}

// Folder is where a job file's relative paths begin: its own folder, or that of the
// process for a document from stdin.
func Folder(path string) (string, error) {
	if path == "-" {
		return os.Getwd()
	}
	return filepath.Abs(filepath.Dir(path))
}

// FileError blames the file for an error.
func FileError(name string, err error) error {
	return exit.With(exit.Usage, fmt.Errorf("%s: %w", name, err))
}

func load(path string, stdin io.Reader) (name string, body []byte, err error) {
	name, in, err := Open(path, stdin)
	if err != nil {
		return name, nil, err
	}
	defer func() { _ = in.Close() }() // it is only read
	body, err = io.ReadAll(io.LimitReader(in, spec.MaxDoc+1))
	return name, body, err
}

// Open opens the file that an argument names: "-" is stdin. The name is that of messages.
func Open(path string, stdin io.Reader) (name string, in io.ReadCloser, err error) {
	if path == "-" {
		return "stdin", io.NopCloser(stdin), nil
	}
	f, err := os.Open(path)
	return path, f, err
}

func (d *Document) lookup() (func(string) (string, bool), error) {
	given := map[string]string{}
	for _, pair := range d.set {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set %q: write NAME=VALUE", pair)
		}
		given[name] = value
	}
	return func(name string) (string, bool) {
		if value, ok := given[name]; ok {
			return value, true
		}
		return os.LookupEnv(name)
	}, nil
}
