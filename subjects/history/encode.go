package history

import "encoding/binary"

// The form of a block, version 1. Numbers are unsigned varints unless the layout says bytes.
//
//	version, origin (bytes), first slot
//	owners, and of each: length of the tenant, its bytes, cores, memory
//	samples
//	columns, over all samples: seconds
//	         over those with seconds: owner, mean, peak − mean, memory
//
// Seconds and owners are runs: a length and a byte. Mean and memory are zigzag differences to
// the sample before; a zero is followed by the number of further zeros. So a quiet host costs
// next to nothing, and a lively one a byte or two a column.
const version = 1

// Append appends the form of a block to dst.
func (b *Block) Append(dst []byte) []byte {
	dst = append(dst, version, byte(b.Origin))
	dst = binary.AppendUvarint(dst, uint64(b.From))
	dst = binary.AppendUvarint(dst, uint64(len(b.Owners)))
	for _, o := range b.Owners {
		dst = binary.AppendUvarint(dst, uint64(len(o.Tenant)))
		dst = append(dst, o.Tenant...)
		dst = binary.AppendUvarint(dst, uint64(o.Cores))
		dst = binary.AppendUvarint(dst, uint64(o.Memory))
	}
	dst = binary.AppendUvarint(dst, uint64(len(b.Samples)))
	dst = b.runs(dst, func(s *Sample) uint8 { return s.Seconds })
	seen := Block{Samples: make([]Sample, 0, len(b.Samples))}
	for _, s := range b.Samples {
		if s.Seconds > 0 {
			seen.Samples = append(seen.Samples, s)
		}
	}
	dst = seen.runs(dst, func(s *Sample) uint8 { return s.Owner })
	before := Sample{}
	dst = seen.numbers(dst, func(s *Sample) (n uint64) {
		n, before.Mean = zigzag(int(s.Mean)-int(before.Mean)), s.Mean
		return n
	})
	dst = seen.numbers(dst, func(s *Sample) uint64 { return uint64(s.Peak - s.Mean) })
	return seen.numbers(dst, func(s *Sample) (n uint64) {
		n, before.Memory = zigzag(int(s.Memory)-int(before.Memory)), s.Memory
		return n
	})
}

// runs appends a column as lengths and values.
func (b *Block) runs(dst []byte, of func(*Sample) uint8) []byte {
	for i := 0; i < len(b.Samples); {
		value, n := of(&b.Samples[i]), 1
		for i+n < len(b.Samples) && of(&b.Samples[i+n]) == value {
			n++
		}
		dst = append(binary.AppendUvarint(dst, uint64(n)), value)
		i += n
	}
	return dst
}

// numbers appends a column of numbers, with the zeros behind a zero as their count.
func (b *Block) numbers(dst []byte, of func(*Sample) uint64) []byte {
	zeros := -1 // further zeros behind one that was appended; -1 for no zero
	for i := range b.Samples {
		n := of(&b.Samples[i])
		if n == 0 && zeros >= 0 {
			zeros++
			continue
		}
		if zeros >= 0 {
			dst = binary.AppendUvarint(dst, uint64(zeros))
			zeros = -1
		}
		if dst = binary.AppendUvarint(dst, n); n == 0 {
			zeros = 0
		}
	}
	if zeros >= 0 {
		dst = binary.AppendUvarint(dst, uint64(zeros))
	}
	return dst
}

func zigzag(n int) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

func unzigzag(n uint64) int { return int(n>>1) ^ -int(n&1) }
