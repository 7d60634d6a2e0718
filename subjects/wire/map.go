package wire

import "slices"

// Map appends a map with texts as keys, as Marshal writes a struct. Fields that are empty are left
// out, but for those that Key begins.
type Map struct {
	b     []byte
	at, n int
}

// BeginMap begins a map behind b.
func BeginMap(b []byte) Map { return Map{b: append(b, 0), at: len(b)} }

// Key begins a field. Add appends its value.
func (m *Map) Key(name string) {
	m.n++
	m.b = AppendString(m.b, name)
}

// Add appends the value of the field that Key began.
func (m *Map) Add(value func([]byte) []byte) { m.b = value(m.b) }

// Text appends a field unless it is empty.
func (m *Map) Text(name, v string) {
	if v != "" {
		m.Key(name)
		m.b = AppendString(m.b, v)
	}
}

// Texts appends a field unless it is empty.
func (m *Map) Texts(name string, v []string) {
	if len(v) > 0 {
		m.Key(name)
		m.b = AppendStrings(m.b, v)
	}
}

// Int appends a field unless it is 0.
func (m *Map) Int(name string, v int64) {
	if v != 0 {
		m.Key(name)
		m.b = AppendInt(m.b, v)
	}
}

// Float appends a field unless it is 0.
func (m *Map) Float(name string, v float64) {
	if v > 0 || v < 0 || v != v {
		m.Key(name)
		m.b = AppendFloat(m.b, v)
	}
}

// Bool appends a field unless it is false.
func (m *Map) Bool(name string, v bool) {
	if v {
		m.Key(name)
		m.b = AppendBool(m.b, v)
	}
}

// End returns the bytes of the map, behind those before it.
func (m *Map) End() []byte {
	if m.n < 16 {
		m.b[m.at] = 0x80 | byte(m.n)
		return m.b
	}
	m.b[m.at] = 0xde
	return slices.Insert(m.b, m.at+1, byte(m.n>>8), byte(m.n))
}
