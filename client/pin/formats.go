package pin

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"strings"
	"syscall"

	"lull/subjects/spec"
)

// suffixes are the endings of files that have no lines to cut at, by what they are.
var suffixes = map[string][]string{
	"compressed": strings.Fields(".gz .tgz .bgz .bgzf .bz2 .tbz .tbz2 .xz .txz .lzma .zst .zstd .tzst .lz4 .lz .lzo .sz .snappy .br .z .deflate .zlib"),
	"an archive": strings.Fields(".zip .7z .rar .tar .jar .whl .cpio .ar .deb .rpm .iso"),
	"a binary format without lines": strings.Fields(".parquet .orc .avro .arrow .feather .ipc .h5 .hdf5 .hdf .nc .npy .npz .pkl .pickle .rds .rdata .mat .tfrecord .sqlite .sqlite3 .db .duckdb " +
		".bam .cram .bcf .sas7bdat .sav .dta .xls .xlsx .ods .docx .pdf .png .jpg .jpeg .gif .tif .tiff .webp .mp3 .mp4 .mkv .avi .mov .wav .flac .pcap .pcapng .pt .safetensors .gguf .onnx"),
}

// beginnings are the first bytes of such files.
var beginnings = []struct{ bytes, what string }{
	{"\x1f\x8b", "compressed (gzip)"}, {"BZh", "compressed (bzip2)"}, {"\xfd7zXZ\x00", "compressed (xz)"}, {"\x28\xb5\x2f\xfd", "compressed (zstd)"},
	{"\x04\x22\x4d\x18", "compressed (lz4)"}, {"LZIP", "compressed (lzip)"}, {"\x89LZO", "compressed (lzop)"}, {"\x1f\x9d", "compressed (compress)"},
	{"\x5d\x00\x00", "compressed (lzma)"}, {"\xff\x06\x00\x00sNaPpY", "compressed (snappy)"},
	{"PK\x03\x04", "an archive (zip)"}, {"PK\x05\x06", "an archive (zip)"}, {"7z\xbc\xaf\x27\x1c", "an archive (7z)"}, {"Rar!\x1a\x07", "an archive (rar)"},
	{"PAR1", "a binary format without lines (parquet)"}, {"PARE", "a binary format without lines (parquet)"}, {"ORC\x08", "a binary format without lines (orc)"},
	{"ORC\x0a", "a binary format without lines (orc)"}, {"Obj\x01", "a binary format without lines (avro)"}, {"ARROW1", "a binary format without lines (arrow)"},
	{"\x89HDF", "a binary format without lines (hdf5)"}, {"SQLite format 3\x00", "a binary format without lines (sqlite)"}, {"\x93NUMPY", "a binary format without lines (npy)"},
	{"%PDF-", "a binary format without lines (pdf)"}, {"\x89PNG", "a binary format without lines (png)"}, {"\xff\xd8\xff", "a binary format without lines (jpeg)"},
	{"\x7fELF", "a program"}, {"\xff\xfe", "text in UTF-16, whose line ends are not bytes of their own"}, {"\xfe\xff", "text in UTF-16, whose line ends are not bytes of their own"},
}

// tarMagic stands at this offset of a tar archive.
const tarMagic, tarOffset = "ustar", 257

// splittable refuses a file that cannot be cut at line ends: by its name, so that a job does not fail on the day
// on which the file has grown, and by its first bytes, if it would be cut.
func splittable(f spec.File, split int64) error {
	name := f.Path
	if u, err := url.Parse(name); err == nil && spec.IsURL(name) {
		name = u.Path
	}
	what := kindByName(name)
	if what == "" && f.Size > split && !spec.IsURL(f.Path) {
		what = kindByContent(f.Path)
	}
	if what == "" {
		return nil
	}
	return fmt.Errorf("%s is %s, and split would cut it within: leave split out, so that each task reads a whole file (group: N for several), or unpack it first", f.Path, what)
}

func kindByName(name string) string {
	ending := strings.ToLower(path.Ext(name))
	for what, endings := range suffixes {
		for _, e := range endings {
			if e == ending {
				return fmt.Sprintf("%s (%s)", what, e)
			}
		}
	}
	return ""
}

// kindByContent returns "" also for a file that this user cannot read: hosts may.
func kindByContent(name string) string {
	f, err := OpenRegular(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it is only read
	var first [tarOffset + len(tarMagic)]byte
	n, _ := io.ReadFull(f, first[:])
	for _, b := range beginnings {
		if bytes.HasPrefix(first[:n], []byte(b.bytes)) {
			return b.what
		}
	}
	if n == len(first) && string(first[tarOffset:]) == tarMagic {
		return "an archive (tar)"
	}
	return ""
}

// OpenRegular opens a regular file. It does not wait for the other end of a named pipe, and has no effect on
// a device.
func OpenRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file: write what it gives into one, and name that", name)
	}
	if err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
