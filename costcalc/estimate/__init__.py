"""Physics: parameters, FLOPs, memory, time. Pure arithmetic; no file, no price, no clock."""
