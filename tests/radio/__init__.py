"""An emulated radio: virtual controllers on one air, one TCP connection each, for separate processes."""
