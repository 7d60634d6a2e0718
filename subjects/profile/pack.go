package profile

import "math"

const (
	// Unknown is the packed share of a time without observation.
	Unknown = 255
	// most is the packed form of all cores.
	most = 250
)

// Pack is a share of a host's cores in a byte: 250 times its square root. A step is 0.002
// points at no usage, and 0.8 points at full usage. NaN is Unknown.
func Pack(share float64) byte {
	if math.IsNaN(share) {
		return Unknown
	}
	return byte(math.Round(most * math.Sqrt(min(max(share, 0), 1))))
}

// PackUp is Pack rounded up, for usage that must not be understated.
func PackUp(share float64) byte {
	b := Pack(share)
	if b < most && Unpack(b) < share {
		b++
	}
	return b
}

// Unpack is the share of a byte that Pack made, NaN for Unknown.
func Unpack(b byte) float64 { return shares[b] }

// shares is Unpack of every byte. Bytes that Pack never makes count as Unknown.
var shares = func() (table [256]float64) {
	for b := range table {
		table[b] = math.NaN()
		if b <= most {
			root := float64(b) / most
			table[b] = root * root
		}
	}
	return table
}()
