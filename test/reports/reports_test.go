package reports

import (
	"os"
	"path/filepath"
	"testing"
)

// report is a fault of another program, as its input and the right result.
type report struct {
	name, source string
	first        string            // what lull did when it was tried first
	files        map[string]string // in the folder in which the script runs
	script       string            // for a shell
	want         string            // that it prints
}

var all = []report{
	{
		name:   "the last line of a file without a final line end stays a line of its own",
		source: "https://github.com/pgcorpus/gutenberg/issues/2",
		first:  "joined the last line of each file to the first one of the next",
		files: map[string]string{
			"in/a": "the 3\nend 5", "in/b": "of 2\r\nthe 4", "in/c": "", "in/d": "a 1",
			"lines.yaml": "name: lines\nstages: [{name: a, inputs: in/*, split: 1MB, command: cat}]",
		},
		script: "lull run lines.yaml >run && lull logs lines",
		want:   "the 3\nend 5\nof 2\r\nthe 4\na 1",
	},
	{
		name:   "a folder that links lead to is read once, and a link to a folder above ends nothing",
		source: "https://github.com/python/cpython/issues/88041",
		first:  "read the folder behind the link again, and refused the pattern for the link to a folder above",
		files: map[string]string{
			"runs/v1/a": "one\n", "runs/v2/b": "two\n",
			"links.yaml": "name: links\nstages: [{name: a, inputs: runs/**, group: 99, command: cat}]",
		},
		script: "ln -s v2 runs/latest; ln -s . runs/v1/self; ln -s loop runs/loop; lull run links.yaml >run && lull logs links",
		want:   "one\ntwo\n",
	},
	{
		name:   "values in files of variables are those between the quotes, and comments are none of them",
		source: "https://github.com/docker/compose/issues/9879",
		first:  "kept quotes and comments where a comment follows",
		files: map[string]string{
			"a.env":    "A=VAL # comment\nB=VAL# not a comment\nC=\"VAL # not a comment\" # comment\nexport D='x=1&y=\"2\"'\nE=\"two\nlines\"\n",
			"env.yaml": "name: env\nstages: [{name: a, env_file: a.env, command: 'printf \"[%s]\" \"$A\" \"$B\" \"$C\" \"$D\" \"$E\"'}]",
		},
		script: "lull run env.yaml >run && lull logs env",
		want:   "[VAL][VAL# not a comment][VAL # not a comment][x=1&y=\"2\"][two\nlines]",
	},
	{
		name:   "a comma in a size is not taken for whatever",
		source: "https://github.com/dustin/go-humanize/issues/42",
		first:  "took 1,5GB for 15 GB",
		files:  map[string]string{"size.yaml": "name: size\nstages: [{name: a, memory: '1,5GB', command: 'true'}]"},
		script: "lull validate size.yaml 2>&1 | head -n 1; lull run --memory 1,5GB -- true 2>&1",
		want: "lull: size.yaml: line 2, column 28: stages[0].memory: \"1,5GB\" is not a size: write it as 64MB, 1.5GiB, or a number of bytes\n" +
			"lull: --memory \"1,5GB\" is no size: write 2GB or 512MiB, for example\n",
	},
	{
		name:   "a range keeps the zeros before its numbers",
		source: "https://github.com/mvdan/sh/issues/1042",
		first:  "counted 8, 9, 10, 11",
		files:  map[string]string{"range.yaml": "name: range\nstages: [{name: a, each: 08..11, command: 'echo $LULL_PARAM'}]"},
		script: "lull run range.yaml >run && lull logs range",
		want:   "a/0 | 08\na/1 | 09\na/2 | 10\na/3 | 11\n",
	},
	{
		name:   "an empty line is a value",
		source: "https://github.com/nextflow-io/nextflow/issues/795",
		first:  "left LULL_PARAM unset, of which the script died",
		files: map[string]string{
			"list":       "one\n\n two \n",
			"empty.yaml": "name: empty\nstages: [{name: a, each: list, retries: 0, command: 'set -u; echo \"[$LULL_PARAM]\"'}]",
		},
		script: "lull run empty.yaml >run && lull logs empty",
		want:   "a/0 | [one]\na/1 | []\na/2 | [ two ]\n",
	},
	{
		name:   "a task can handle a signal that its scheduler was started to ignore", // by nohup
		source: "https://github.com/Zakkaus/gentoo-install/pull/1217",
		first:  "had tasks ignore SIGHUP, too",
		script: `lull run -- 'trap "echo handled" HUP; kill -HUP $$; grep SigIgn /proc/self/status'`,
		want:   "handled\nSigIgn:\t0000000000000000\n",
	},
	{
		name:   "a task knows its user's name, or number",
		source: "https://github.com/CHTC/templates-GPUs/pull/46",
		first:  "set neither USER nor LOGNAME",
		script: `lull run -- 'set -u; me=$(id -un 2>/dev/null) || me=$(id -u); test "$USER $LOGNAME" = "$me $me" && echo same'`,
		want:   "same\n",
	},
	{
		name:   "the path of a socket in the folder for temporary files is not too long", // it may have 107 bytes
		source: "https://github.com/broadinstitute/cromwell/issues/3647",
		first:  "made TMPDIR of the job's name, so that sockets failed in jobs with long ones",
		files: map[string]string{"socket.yaml": "name: sockets-of-multiprocessing-in-jobs-with-long-names\nstages:\n- name: a\n  command: |\n" +
			"    socket=$TMPDIR/pymp-abcdefgh/listener-abcdefgh\n    mkdir ${socket%/*} && touch $socket && test -e pymp-abcdefgh/listener-abcdefgh && test ${#socket} -le 107 && echo fits"},
		script: "lull run socket.yaml >run && lull logs sockets",
		want:   "fits\n",
	},
	{
		name:   "a record stays whole although a value holds a line end",
		source: "https://github.com/elastic/elasticsearch/pull/152823",
		first:  "cut values in quotes where | separates them",
		files: map[string]string{
			"table.csv": "n|t\n1|\"a\nb\"\n2|c\n",
			"csv.yaml":  "name: csv\nstages: [{name: a, inputs: table.csv, split: 3, record: csv, header: 1, command: cat}]",
			"escaped":   "1,\"a \\\"b\n\",c\n2,d\n",
			"bad.yaml":  "name: bad\nstages: [{name: a, inputs: escaped, split: 3, record: csv, command: cat}]",
		},
		script: "lull run csv.yaml >run && lull logs csv; lull validate bad.yaml 2>&1 | grep -o 'at byte [0-9]*'",
		want:   "a/0 | n|t\na/0 | 1|\"a\na/0 | b\"\na/1 | n|t\na/1 | 2|c\nat byte 8\n",
	},
}

func TestReports(t *testing.T) {
	p := startPool(t)
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			folder := p.folder(t)
			for name, text := range r.files {
				path := filepath.Join(folder, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, aside := p.shell(t, folder, r.script)
			if got != r.want {
				t.Errorf("%s\n%s printed %q, want %q (at first, lull %s)\nstderr: %s", r.source, r.script, got, r.want, r.first, aside)
			}
		})
	}
}
