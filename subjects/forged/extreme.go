package forged

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// setExtreme changes one value of a struct, however deep, to an extreme one. It restores the value if the struct is then not
// valid.
func (f *Forger) setExtreme(v reflect.Value, valid func() bool) {
	values := leaves(nil, v)
	if len(values) == 0 {
		return
	}
	at := one(f, values)
	before := reflect.New(at.Type()).Elem()
	before.Set(at)
	f.overwrite(at)
	if !valid() {
		at.Set(before)
	}
}

// leaves appends the values of a struct that hold no others, and its lists.
func leaves(all []reflect.Value, v reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			all = leaves(all, v.Field(i))
		}
		return all
	case reflect.Pointer:
		if v.IsNil() {
			return all
		}
		return leaves(all, v.Elem())
	case reflect.Slice:
		for i := range min(v.Len(), 8) {
			all = leaves(all, v.Index(i))
		}
	}
	return append(all, v)
}

// Extreme values of each kind, beside usual ones.
var (
	floats   = []float64{0, 1, 0.5, -1, 1e-300, 1e6, 1e12, -1e12, 1e30, math.MaxFloat64, math.Inf(1), math.NaN()}
	unsigned = []uint64{0, 1, 2, 3, 8, 300, 999, 1 << 16, math.MaxUint32, 1 << 53, math.MaxUint64}
	signed   = []int64{0, 1, -1, 1 << 20, 1 << 40, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
	texts    = []string{"", "x", "rack=r0", "rack=r1", "\x1b[31m\n", "\xff", strings.Repeat("x", 300), strings.Repeat("x", 10_000)}
	lengths  = []int{0, 1, 2, 3, 24, 300}
)

// overwrite sets a value to an extreme one.
func (f *Forger) overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(one(f, floats))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		n := one(f, unsigned)
		if v.Kind() == reflect.Uint64 && f.chance(50) {
			n = f.rng.Uint64N(f.pool.Seq + 3)
		}
		v.SetUint(n & (math.MaxUint64 >> (64 - v.Type().Bits())))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(int32(one(f, signed))))
		if v.Type().Bits() == 64 {
			v.SetInt(one(f, signed))
		}
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(f.text())
	case reflect.Slice:
		f.resize(v)
	case reflect.Array:
		if v.Len() > 0 {
			f.overwrite(v.Index(0))
		}
	default:
		panic(fmt.Sprintf("no way to overwrite a %v", v.Type()))
	}
}

// text is a name of something in the pool, or an odd text.
func (f *Forger) text() string {
	if f.chance(50) {
		return one(f, []string{f.host(), f.job(), f.model(), one(f, tenants), one(f, racks)})
	}
	return one(f, texts)
}

// resize gives a list another length. Values that it gains are ordinary ones.
func (f *Forger) resize(v reflect.Value) {
	n := one(f, lengths)
	list := reflect.MakeSlice(v.Type(), n, n)
	kept := reflect.Copy(list, v)
	for i := kept; i < n; i++ {
		for _, leaf := range leaves(nil, list.Index(i)) {
			switch leaf.Kind() {
			case reflect.String:
				leaf.SetString(f.text())
			case reflect.Uint32, reflect.Uint64:
				leaf.SetUint(uint64(i))
			}
		}
	}
	v.Set(list)
}
