package ledger

import (
	"encoding/binary"
	"math"
)

// packer appends fields in their shortest form.
type packer struct{ b []byte }

func (p *packer) uint(n uint64)  { p.b = binary.AppendUvarint(p.b, n) }
func (p *packer) int(n int64)    { p.b = binary.AppendVarint(p.b, n) }
func (p *packer) flag(on bool)   { p.b = append(p.b, map[bool]byte{true: 1}[on]) }
func (p *packer) text(t string)  { p.uint(uint64(len(t))); p.b = append(p.b, t...) }
func (p *packer) bytes(b []byte) { p.uint(uint64(len(b))); p.b = append(p.b, b...) }

func (p *packer) float(f float64) {
	p.b = binary.LittleEndian.AppendUint64(p.b, math.Float64bits(f))
}

// unpacker takes out what a packer put in. After the first field that is not
// there it is bad, and all further ones are zero.
type unpacker struct {
	b   []byte
	bad bool
}

func (u *unpacker) takeBytes(n int) []byte {
	if n <= 0 || n > len(u.b) {
		u.bad = u.bad || n != 0
		return nil
	}
	field := u.b[:n:n]
	u.b = u.b[n:]
	return field
}

func (u *unpacker) uint() uint64 {
	v, n := binary.Uvarint(u.b)
	if u.takeBytes(n); n == 0 {
		u.bad = true
	}
	return v
}

func (u *unpacker) int() int64 {
	v, n := binary.Varint(u.b)
	if u.takeBytes(n); n == 0 {
		u.bad = true
	}
	return v
}

func (u *unpacker) uint32() uint32 {
	n := u.uint()
	u.bad = u.bad || n > math.MaxUint32
	return uint32(n)
}

func (u *unpacker) flag() bool {
	b := u.takeBytes(1)
	return len(b) == 1 && b[0] == 1
}

func (u *unpacker) float() float64 {
	b := u.takeBytes(8)
	if len(b) < 8 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// bytes returns the bytes of a field, in place.
func (u *unpacker) bytes() []byte {
	n := u.uint()
	if n > uint64(len(u.b)) {
		u.bad = true
		return nil
	}
	return u.takeBytes(int(n))
}

func (u *unpacker) text() string { return string(u.bytes()) }
