package integrity

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	blockSuffix = ".blk"
	indexFile   = "index.db"
	metaFile    = "meta.inf"
	sumFile     = "meta.sum"
)

// compressed is the beginning of a block that the server compressed.
var compressed = []byte("cmp")

// block is a file of messages.
type block struct {
	path  string
	index uint32
	bad   []span
	fixed []fix
}

// blocks lists a stream's blocks by their index. None is no error.
func blocks(stream string) ([]*block, error) {
	entries, err := os.ReadDir(filepath.Join(stream, "msgs"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var list []*block
	for _, e := range entries {
		if index, ok := blockIndex(e); ok {
			list = append(list, &block{path: filepath.Join(stream, "msgs", e.Name()), index: index})
		}
	}
	slices.SortFunc(list, func(a, b *block) int { return int(a.index) - int(b.index) })
	return list, nil
}

func blockIndex(e fs.DirEntry) (index uint32, ok bool) {
	digits, ok := strings.CutSuffix(e.Name(), blockSuffix)
	if !ok {
		return 0, false
	}
	n, err := fmt.Sscanf(digits, "%d", &index)
	return index, n == 1 && err == nil && fmt.Sprint(index) == digits
}

// read scans the block.
func (b *block) read(stream string, work *int, see func(at int, r record)) error {
	body, err := os.ReadFile(b.path)
	if err != nil || bytes.HasPrefix(body, compressed) {
		return err
	}
	log, ok := logOf(stream)
	if !ok {
		log = ""
	}
	b.bad, b.fixed = scanRecords(newHash(blockName(stream, b.index)), body, log, work, see)
	return nil
}

// repair writes back the bytes that were wrong.
func (b *block) repair() error {
	file, err := os.OpenFile(b.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // Sync returns the error of writing
	for _, f := range b.fixed {
		if _, err := file.WriteAt([]byte{f.now}, int64(f.at)); err != nil {
			return err
		}
	}
	return file.Sync()
}
