package sum

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"lull/client/holes"
	"lull/hostctl/recede"
)

// failure begins the answer for a file that could not be hashed.
const failure = "error: "

// progress is the line after each further progressBytes of a file.
const (
	progress      = "more\n"
	progressBytes = 64 << 20
)

// Main answers paths from its standard input until that ends, and returns the exit
// status. Its arguments are those that Start appends to Config.Command.
func Main(args []string) int {
	if in := parseGroups(args); in.Unified != "" || len(in.Joins) > 0 {
		return runInBackground(os.Args[1:len(os.Args)-len(args)], in)
	}
	background()
	paths := make(chan string)
	go hash(paths)
	lines := bufio.NewReader(os.Stdin)
	for {
		path, err := lines.ReadString('\n')
		if err != nil {
			return 0 // at once: no caller waits for the file under way either
		}
		paths <- strings.TrimSuffix(path, "\n")
	}
}

// hash writes the answers. If a write fails, the agent is gone and asks for nothing more.
func hash(paths <-chan string) {
	buffer := make([]byte, 1<<20)
	for path := range paths {
		line, err := one(path, buffer)
		if err != nil {
			line = failure + strconv.QuoteToGraphic(err.Error())
		}
		_, _ = fmt.Println(line)
	}
}

func one(request string, buffer []byte) (line string, err error) {
	path, data, err := parseExtents(request)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // read only
	h := sha256.New()
	var from io.Reader = f
	if data != nil {
		from = holes.NewReader(f, data)
	}
	size, err := io.CopyBuffer(h, &noting{from: from}, buffer)
	return fmt.Sprintf("%d %x", size, h.Sum(nil)), err
}

// noting writes a line of progress now and then. Only the bytes after the last one are missing in these.
type noting struct {
	from io.Reader
	n    int64
}

func (r *noting) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	for r.n += int64(n); r.n >= progressBytes; r.n -= progressBytes {
		_, _ = fmt.Print(progress) // if that fails, the agent is gone
	}
	return n, err
}

// background does for each thread what cgroups do not. The thread yields the disk to all others,
// and the CPU where no group is of the background. Where the kernel refuses, the process continues
// without.
func background() {
	recede.Session()
	threads, _ := os.ReadDir("/proc/self/task")
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = errors.Join(recede.CPU(id), recede.Disk(id))
		}
	}
}
