package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/slotter/datanode"
	"lull/subjects/spec"
)

// capacities is a flag that may be given for each data node.
type capacities struct{ to *[]datanode.Config }

var _ pflag.Value = capacities{}

func (c capacities) String() string {
	if c.to == nil {
		return ""
	}
	var all []string
	for _, s := range *c.to {
		all = append(all, fmt.Sprintf("%s=%s/s", s.Name, humanize.Bytes(uint64(s.Capacity))))
	}
	return strings.Join(all, ",")
}

func (c capacities) Type() string { return "node=rate" }

// Set reads nfs:filer1=200MB/s.
func (c capacities) Set(word string) error {
	name, rate, ok := strings.Cut(word, "=")
	if !ok || !spec.DataNodeName(name) {
		return fmt.Errorf("use node=rate, such as nfs:filer1=200MB/s (lull sources lists the names)")
	}
	if slices.ContainsFunc(*c.to, func(s datanode.Config) bool { return s.Name == name }) {
		return fmt.Errorf("%s is given twice", name)
	}
	bytes, err := spec.ParseSize(strings.TrimSuffix(rate, "/s"))
	if err != nil || bytes == 0 || bytes > 1e12 {
		return fmt.Errorf("%q is not a rate: write it as 200MB/s, at most 1TB/s", rate)
	}
	*c.to = append(*c.to, datanode.Config{Name: name, Capacity: float64(bytes)})
	return nil
}

// DataNodes adds --source, the capacities of data nodes.
func DataNodes(f *pflag.FlagSet, to *[]datanode.Config) {
	f.Var(capacities{to}, "source", "capacity of a data node, such as nfs:filer1=200MB/s; may be repeated (default learnt from slow tasks)")
	help.Scheduling.In(f, "source")
}
