// Package ticket makes and checks the tickets with which a host's outputs and logs
// are read.
//
//	t := ticket.New(host)
//	text, until := t.Issue(now)   // to whoever may ask on the host's subject
//	ok := t.Check(text, later)    // of each HTTP request
//
// A ticket is good for one host, one process of its agent and a quarter of an hour.
// The secret that signs it is made at start and written nowhere.
package ticket

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Life is how long a ticket is good for. A transfer that began goes on after it.
const Life = 15 * time.Minute

const stamp = 8 // bytes of a ticket that say until when it is good

// Office makes and checks the tickets of one host. It is safe for concurrent use.
type Office struct {
	host   string
	secret [sha256.Size]byte
}

// New makes an office with a secret of its own.
func New(host string) *Office {
	o := &Office{host: host}
	rand.Read(o.secret[:]) // never fails
	return o
}

// Issue makes a ticket that is good until the time it returns.
func (o *Office) Issue(now time.Time) (ticket string, until time.Time) {
	until = now.Add(Life)
	body := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(body, o.sign(body)...)), until
}

// Check reports whether the host issued the ticket, and it is still good.
func (o *Office) Check(ticket string, now time.Time) bool {
	raw, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil || len(raw) != stamp+sha256.Size || !hmac.Equal(raw[stamp:], o.sign(raw[:stamp])) {
		return false
	}
	return now.Unix() <= int64(binary.BigEndian.Uint64(raw))
}

func (o *Office) sign(body []byte) []byte {
	mac := hmac.New(sha256.New, o.secret[:])
	mac.Write([]byte(o.host))
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)
}
