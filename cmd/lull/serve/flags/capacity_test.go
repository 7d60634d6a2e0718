package flags

import (
	"slices"
	"testing"

	"lull/slotter/datanode"

	"github.com/spf13/pflag"
)

func TestCapacitiesAreRead(t *testing.T) {
	var got []datanode.Config
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	DataNodes(f, &got)
	if err := f.Parse([]string{"--source", "nfs:filer1=200MB/s", "--source=disk:h:sda=1GiB"}); err != nil {
		t.Fatal(err)
	}
	if want := []datanode.Config{{Name: "nfs:filer1", Capacity: 200e6}, {Name: "disk:h:sda", Capacity: 1 << 30}}; !slices.Equal(got, want) {
		t.Errorf("data nodes = %+v, want %+v", got, want)
	}
	for _, bad := range []string{"filer1", "=5MB", "a b=5MB", "x=fast", "x=0", "x=9999TB/s", "nfs:filer1=1MB"} {
		if err := f.Parse([]string{"--source", bad}); err == nil {
			t.Errorf("Parse(--source %q) = nil, want an error", bad)
		}
	}
}
