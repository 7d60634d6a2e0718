package subjects

import "testing"

func BenchmarkEncode(b *testing.B) {
	for _, e := range golden()[2:4] {
		b.Run(Kind(e), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode("p", e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, e := range golden()[2:4] {
		m, err := Encode("p", e)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(Kind(e), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(m.Body)))
			for b.Loop() {
				if _, err := Decode("p", m.Subject, m.Body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
