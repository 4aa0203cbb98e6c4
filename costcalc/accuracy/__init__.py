"""Predicted against measured: published and own runs, cross-validation, calibration."""
