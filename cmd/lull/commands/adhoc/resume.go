package adhoc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Resume makes the line run only what a job log does not hold yet: all commands that it does not name, and with
// failed also those that it says have failed. A log that does not exist names none. The line of a command
// that is not the one that would run now is an error: the log is of another command line.
func (l *Line) Resume(path string, failed bool) error {
	done, err := l.read(path, failed)
	if err != nil {
		return err
	}
	l.Pick = []int{}
	for number := range l.whole() {
		if !done[number] {
			l.Pick = append(l.Pick, number)
		}
	}
	if len(done) == 0 {
		l.Pick = nil
	}
	return nil
}

// read returns the commands that a job log has as done. The last line of a command counts. A last line without its end
// was left by a run that was killed, and says nothing.
func (l *Line) read(path string, failed bool) (map[int]bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	done, in := map[int]bool{}, bufio.NewReader(file)
	for at := 1; ; at++ {
		text, err := in.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF):
			return done, nil
		case err != nil:
			return nil, err
		}
		if err := l.note(strings.TrimSuffix(text, "\n"), failed, done); err != nil {
			return nil, fmt.Errorf("%s: line %d %w", path, at, err)
		}
	}
}

// note takes in a line of a job log.
func (l *Line) note(text string, failed bool, done map[int]bool) error {
	if text == jobLogHead || text == "" {
		return nil
	}
	fields := strings.SplitN(text, "\t", 9)
	number, err := strconv.Atoi(fields[0])
	if err != nil || len(fields) < 9 || number < 1 {
		return errors.New("is not of a job log, as lull run --joblog and GNU parallel write it")
	}
	if number--; number >= l.whole() {
		return nil // of a list that was longer
	}
	if now := logged(l.Command(number)); fields[8] != now {
		return fmt.Errorf("says that task %d ran %q, and now it is %q: give the command and the values of that log, or another file", number+1, fields[8], now)
	}
	delete(done, number)
	if !failed || fields[6] == "0" && fields[7] == "0" {
		done[number] = true
	}
	return nil
}
