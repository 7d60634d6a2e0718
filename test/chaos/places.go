package chaos

import (
	"context"
	"os"
	"path/filepath"
)

// network is three racks: hosts of a fleet are in one each.
const network = `racks:
  - {name: r1, rate: 800Mbit/s}
  - {name: r2, rate: 400Mbit/s}
  - {name: r3, rate: 200Mbit/s}
`

// describeNetwork tells the pool of its network, so that jobs are placed.
func (f *fleet) describeNetwork(ctx context.Context) error {
	file := filepath.Join(f.dir, "racks.yaml")
	if err := os.WriteFile(file, []byte(network), 0o644); err != nil {
		return err
	}
	_, err := f.ask(ctx, "topology", "set", file)
	return err
}
