package integrity

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"hash"
	"slices"
	"strconv"
	"strings"
	"time"

	"lull/subjects"
)

// A log and an inbox are read by sequence: a message missing from them is lost. From
// other streams the server deletes single messages all the time, and their readers
// check what they read.

// voidedSubject ends the subject of a Voided, whatever the pool.
const voidedSubject = ".pool.voided"

const logPrefix, inboxSuffix = "LULL_", "_INBOX"

// besideSuffixes are the suffixes of the streams beside a pool's log.
var besideSuffixes = []string{inboxSuffix, "_QUARANTINE", "_LISTS", "_HISTORY"}

// logOf returns the pool whose log a stream is, by its name.
func logOf(stream string) (subjects.Pool, bool) {
	pool, ok := strings.CutPrefix(stream, logPrefix)
	beside := slices.ContainsFunc(besideSuffixes, func(suffix string) bool { return strings.HasSuffix(pool, suffix) })
	return subjects.Pool(pool), ok && pool != "" && !beside
}

func inboxOf(stream string) (subjects.Pool, bool) {
	log, ok := strings.CutSuffix(stream, inboxSuffix)
	if !ok {
		return "", false
	}
	return logOf(log)
}

// snapshotsOf returns the pool whose snapshots a stream holds.
func snapshotsOf(stream string) (subjects.Pool, bool) {
	name, ok := strings.CutPrefix(stream, "OBJ_"+logPrefix)
	if !ok {
		return "", false
	}
	pool, ok := strings.CutSuffix(name, "_SNAPSHOTS")
	return subjects.Pool(pool), ok
}

// position is the log entry at which a snapshot was made.
type position struct {
	seq     uint64
	created time.Time // of the log
	id      string    // of its pieces
	digest  string
}

// snapshots holds the positions of a pool's snapshots by name, and the checksums of
// their bodies by id.
type snapshots struct {
	at     map[string]position
	pieces map[string]hash.Hash
}

func newSnapshots() *snapshots {
	return &snapshots{map[string]position{}, map[string]hash.Hash{}}
}

// note adds a message of the bucket. The last description of each name counts.
func (s *snapshots) note(r record) {
	if _, id, ok := strings.Cut(r.subject, ".C."); ok {
		if s.pieces[id] == nil {
			s.pieces[id] = sha256.New()
		}
		s.pieces[id].Write(r.body)
		return
	}
	var info struct {
		Name     string            `json:"name"`
		ID       string            `json:"nuid"`
		Digest   string            `json:"digest"`
		Deleted  bool              `json:"deleted"`
		Metadata map[string]string `json:"metadata"`
	}
	if !strings.Contains(r.subject, ".M.") || json.Unmarshal(r.body, &info) != nil {
		return
	}
	seq, err := strconv.ParseUint(info.Metadata["seq"], 10, 64)
	created, err2 := time.Parse(time.RFC3339Nano, info.Metadata["created"])
	if info.Deleted || err != nil || err2 != nil {
		delete(s.at, info.Name)
		return
	}
	s.at[info.Name] = position{seq, created, info.ID, info.Digest}
}

// intact reports whether the body of a snapshot matches its digest.
func (s *snapshots) intact(at position) bool {
	sum := s.pieces[at.id]
	return sum != nil && at.digest == "SHA-256="+base64.URLEncoding.EncodeToString(sum.Sum(nil))
}

// deciders are the services that fold a whole log and decide. Entries that the
// snapshots of all of them cover are not needed. A name may end with a version.
var deciders = []string{"admission.all", "slotter.all"}

// newestOf is the entry of a service's newest snapshot of a log, 0 for none.
func (s *snapshots) newestOf(service string, created time.Time) (seq uint64) {
	for name, at := range s.at {
		if actor, _, _ := strings.Cut(name, "/"); actor == service && at.created.Equal(created) && s.intact(at) {
			seq = max(seq, at.seq)
		}
	}
	return seq
}

// covered is the entry up to which the deciders' snapshots cover a log, 0 if one has
// no snapshot.
func (s *snapshots) covered(created time.Time) uint64 {
	seq := ^uint64(0)
	for _, service := range deciders {
		seq = min(seq, s.newestOf(service, created))
	}
	return seq
}

// last is the newest entry at which any snapshot of the log was made.
func (s *snapshots) last(created time.Time) (seq uint64) {
	for _, at := range s.at {
		if at.created.Equal(created) {
			seq = max(seq, at.seq)
		}
	}
	return seq
}

// answeredBy returns the last message of the inbox that an entry of the log
// answers, 0 for none.
func answeredBy(pool subjects.Pool, r record) uint64 {
	if !strings.Contains(r.subject, ".job.") {
		return 0
	}
	e, err := subjects.Decode(pool, r.subject, r.body)
	if err != nil {
		return 0
	}
	return subjects.InboxOf(e)
}
