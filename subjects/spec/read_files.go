package spec

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// DocFile is a file or folder of the submitting machine that is sent along.
type DocFile struct {
	From string `json:"from"`
	To   string `json:"to,omitempty"`   // in the task's folder; "" for the same path
	Mode string `json:"mode,omitempty"` // of a file, in octal; "" for 644, or 755 if it is executable
}

const filesMeaning = "They stand in the tasks' own folder (`LULL_FILES`), in which tasks run unless `dir` names another: under the same path, or, from outside of the document's folder, under their name. " +
	"Each task has a copy of its own. Executable files stay executable. At most 10 MB a job."

// readFiles reads a path, a map with from, to and mode, or a list of those.
func readFiles(to *[]DocFile) func(value) error {
	return func(v value) error {
		if _, ok := v.node.(*ast.SequenceNode); !ok {
			return readFile(v, to)
		}
		*to = []DocFile{}
		return v.list(func(i int, v value) error {
			if i == MaxNames {
				return v.faultf("there are more than %d entries: name folders instead of their files", MaxNames)
			}
			return readFile(v, to)
		})
	}
}

func readFile(v value, to *[]DocFile) (err error) {
	f := DocFile{}
	if _, ok := v.node.(ast.MapNode); ok {
		err = v.fields(f.fields()...)
	} else {
		f.From, err = v.text()
	}
	if err == nil && f.From == "" {
		err = v.faultf("name the file to send, as in {from: conf/x.yaml, to: conf.yaml}")
	}
	*to = append(*to, f)
	return err
}

func (f *DocFile) fields() []field {
	return []field{
		text("from", &f.From).required().says("A file, a folder, or a glob. A relative path counts from the document's folder."),
		field{name: "to", read: f.readTo, form: textForm}.says("Its path in the tasks' folder."),
		field{name: "mode", read: f.readMode, form: modeForm}.says("Permissions of a file, in octal, such as `0755`. Default: `0644`, and `0755` for what is executable."),
	}
}

func (f *DocFile) readTo(v value) (err error) {
	if f.To, err = v.text(); err != nil {
		return err
	}
	f.To = strings.TrimSuffix(strings.TrimPrefix(f.To, "./"), "/")
	if why := badEntryPath(f.To); why != "" {
		return v.faultf("%.80q cannot be a path in the task's folder: %s", f.To, why)
	}
	return nil
}

func (f *DocFile) readMode(v value) (err error) {
	if f.Mode, err = v.scalar(); err != nil {
		return err
	}
	if _, err := f.Bits(); err != nil {
		return v.faultf("%.40q is not a file's permissions: write them in octal, such as 0755", f.Mode)
	}
	return nil
}

// Bits are the permission bits that Mode stands for, 0 for none.
func (f *DocFile) Bits() (uint32, error) {
	if f.Mode == "" {
		return 0, nil
	}
	bits, err := strconv.ParseUint(strings.TrimPrefix(f.Mode, "0o"), 8, 32)
	if err == nil && (bits == 0 || bits > maxMode) {
		err = strconv.ErrRange
	}
	return uint32(bits), err
}

func readSent(to *[]Sent) func(value) error {
	return func(v value) error {
		return v.list(func(i int, v value) error {
			*to = append(*to, Sent{})
			return v.fields((*to)[i].fields()...)
		})
	}
}

func (s *Sent) fields() []field {
	return []field{
		text("content", &s.Content).required().says("The name of the files in the pool, made of what is in them."),
		texts("names", &s.Names).says("Their paths in the tasks' folder, for people."),
	}
}

func modeForm(*field) *Schema {
	return &Schema{AnyOf: []*Schema{{Type: "string", Pattern: "^(0o)?[0-7]{1,4}$"}, {Type: "integer", Minimum: limit(1), Maximum: limit(maxMode)}}}
}

func filesForm(f *field) *Schema {
	one := func() *Schema {
		return &Schema{AnyOf: []*Schema{textForm(f), objectOf(new(DocFile).fields())}}
	}
	some := one()
	some.AnyOf = append(some.AnyOf, &Schema{Type: "array", Items: one(), MaxItems: MaxNames})
	return some
}

func sentForm(*field) *Schema {
	return &Schema{Type: "array", Items: objectOf(new(Sent).fields())}
}
