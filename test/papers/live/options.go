package live

import "flag"

// options are what the flags say.
type options struct {
	Quick bool   // a small run that only shows that it works
	Plot  string // a file for the SVG
	Ways  string // of Table 3: how the names begin, separated by commas; all by default
}

func (o *options) plotFlag(flags *flag.FlagSet) {
	flags.StringVar(&o.Plot, "plot", "", "a file for the traces, as SVG")
}

func (o *options) waysFlag(flags *flag.FlagSet) {
	flags.StringVar(&o.Ways, "ways", "", "only these, such as fair,unmanaged; without checks unless all are run")
}
