// Package ticket issues and checks the tickets with which clients and other hosts read a
// host's outputs and logs.
//
//	t := ticket.New(host)
//	text, until := t.Issue(now)   // for a key that may ask on the host's subject
//	ok := t.Check(text, later)    // of each HTTP request
//
// A ticket is valid for one host, one process of its agent and a quarter of an hour. The
// secret that signs it is made at start and stored nowhere.
package ticket

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Life is how long a ticket is valid. A transfer that has begun goes on after it.
const Life = 15 * time.Minute

const stamp = 8 // bytes of a ticket that hold its expiry

// Office issues and checks the tickets of one host. It is safe for concurrent use.
type Office struct {
	host   string
	secret [sha256.Size]byte
}

// New returns an office with a new secret.
func New(host string) *Office {
	o := &Office{host: host}
	rand.Read(o.secret[:]) // never fails
	return o
}

// Issue returns a ticket and its expiry.
func (o *Office) Issue(now time.Time) (ticket string, until time.Time) {
	until = now.Add(Life)
	body := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(body, o.sign(body)...)), until
}

// Check reports whether this office issued the ticket and it has not expired.
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
