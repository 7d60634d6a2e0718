package subjects

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
)

// SenderBytes is the number of characters of a job's id that depend on the sender and
// the message id.
const SenderBytes = 10

// SenderOf returns the part of a job's id that depends on the sender and the message id, not on the
// name; "" if job is no id.
func SenderOf(job string) string {
	if len(job) <= SenderBytes {
		return ""
	}
	return job[len(job)-SenderBytes:]
}

// jobHash spells a hash so that it is easy to type and always a token.
var jobHash = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// JobID returns the id of a submitted job: its name and ten characters (50 bits) that follow from
// its sender and message id. So a message published again is the same job. Without a message id
// they follow from inbox, its sequence in the inbox stream.
func JobID(name, client, messageID string, inbox uint64) string {
	return jobID(name, client+"\x00"+messageID, messageID, inbox)
}

// JobIDBy is the id of a job that was published on SubmitBy(user). No header
// holds a line end, so it is never that of a job that claims the user's name.
func JobIDBy(name, user, messageID string, inbox uint64) string {
	return jobID(name, "\n"+user+"\n"+messageID, messageID, inbox)
}

// JobIDAgain returns the id of a job without a message id if another job already has the one from
// JobID. That happens because inboxes count from 1, and the pool may have had another inbox before.
// born is the creation time of the present one.
func JobIDAgain(name string, born int64, inbox uint64) string {
	return jobID(name, fmt.Sprintf("\n\n%d\n%d", born, inbox), "again", inbox)
}

func jobID(name, sender, messageID string, inbox uint64) string {
	var hash [sha256.Size]byte
	if messageID == "" {
		hash = sha256.Sum256(binary.BigEndian.AppendUint64(nil, inbox))
	} else {
		hash = sha256.Sum256([]byte(sender))
	}
	name = Token(name)
	name = name[:min(len(name), maxToken-1-SenderBytes)]
	return name + "-" + jobHash.EncodeToString(hash[:])[:SenderBytes]
}
