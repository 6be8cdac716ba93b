"""The steps of the integrators: functions that numba turns into LLVM IR."""
