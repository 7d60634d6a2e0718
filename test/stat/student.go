package stat

// students are the 97.5 % quantiles of Student's t for 1 to 30 degrees of
// freedom, as any table of the distribution has them.
var students = [...]float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
}

// student is that quantile for any degrees of freedom. Beyond the table it is
// the normal quantile with the first two terms of Cornish and Fisher's
// expansion, which are right to 0.0005 there.
func student(freedom int) float64 {
	if freedom <= len(students) {
		return students[freedom-1]
	}
	const z = 1.959964
	n := float64(freedom)
	return z + (z*z*z+z)/(4*n) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*n*n)
}
