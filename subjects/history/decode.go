package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"lull/subjects"
)

// maxSlot is the last slot at which a block may begin: the last of the year 9999, because a block's
// name has no room for later years.
const maxSlot = 253_402_300_799 / stepSeconds

var (
	// ErrGarbage says that the bytes are not an encoded block.
	ErrGarbage = errors.New("not a block of usage history")
	// ErrNewer says that a newer version of lull wrote the block.
	ErrNewer = errors.New("a newer version of lull wrote the block of usage history: run that version")
)

// Decode reads an encoded block into b and reuses b's memory. After an error the content of b is
// undefined.
func (b *Block) Decode(body []byte) error {
	d := decoder{rest: body}
	v, origin := d.byte(), d.byte()
	if d.err == nil && v > version {
		return fmt.Errorf("%w (version %d)", ErrNewer, v)
	}
	if v != version || origin > byte(Import) {
		d.fail("it has version %d and origin %d, and only version %d and origins up to %d are known", v, origin, version, Import)
	}
	b.Origin, b.From = Origin(origin), int64(d.number(uint64(maxSlot)))
	d.owners(b)
	d.samples(b)
	if d.err == nil && len(d.rest) > 0 {
		d.fail("%d bytes follow its end", len(d.rest))
	}
	return d.err
}

// decoder reads an encoded block. After its first error it reads zeros.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: "+format, append([]any{ErrGarbage}, args...)...)
	}
	d.rest = nil
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.fail("it ends too early")
		return 0
	}
	v := d.rest[0]
	d.rest = d.rest[1:]
	return v
}

// number reads a variable-length number. A number above most is an error.
func (d *decoder) number(most uint64) uint64 {
	var v uint64
	n := 1
	switch {
	case len(d.rest) > 0 && d.rest[0] < 0x80: // nearly all numbers have one byte or two
		v = uint64(d.rest[0])
	case len(d.rest) > 1 && d.rest[1] < 0x80:
		v, n = uint64(d.rest[0]&0x7f)|uint64(d.rest[1])<<7, 2
	default:
		v, n = binary.Uvarint(d.rest)
	}
	if n <= 0 || v > most {
		d.fail("a number in it is cut off, or above %d", most)
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) owners(b *Block) {
	n := int(d.number(maxOwners))
	old := b.Owners[:cap(b.Owners)]
	b.Owners = slices.Grow(b.Owners[:0], n)
	for i := range n {
		size := int(d.number(MaxBody))
		if size > len(d.rest) {
			d.fail("it ends within a name")
		}
		if d.err != nil {
			return
		}
		o := Owner{}
		if i < len(old) && old[i].Tenant == string(d.rest[:size]) {
			o.Tenant = old[i].Tenant // the previous block in b has the same name: share its string
		} else {
			o.Tenant = string(d.rest[:size])
		}
		d.rest = d.rest[size:]
		o.Cores, o.Memory = uint32(d.number(1<<32-1)), int64(d.number(1<<63-1))
		if o.Tenant != "" && d.err == nil {
			if err := subjects.CheckToken("tenant", o.Tenant); err != nil {
				d.fail("%w", err)
			}
		}
		b.Owners = append(b.Owners, o)
	}
}
