"""Predicted against measured."""

MESSAGES = {
    "training_option": "Training runs: a CSV in the columns of the shipped table of runs.",
    "serving_option": "Serving measurements: a CSV in the columns of the shipped table.",
    "cross_validate_option": (
        "Refit without each row's cluster, source or chip family, and score that."
    ),
    "calibrate_option": "Write a calibration that these runs have pulled towards them.",
    "calibration_option": "Use this calibration file instead of the catalog's.",
    "one_file": "give one file: --training FILE.csv or --serving FILE.csv.",
    "training_only": "--calibrate and --calibration go with --training.",
    "refit_or_file": "--cross-validate refits by itself; leave out --calibrate and --calibration.",
    "nothing_to_learn": "no row gives a rate: there is nothing to calibrate with.",
    "no_mapping": "{file} holds no mapping of keys",
    "own_file": "Own calibration, made by costcalc accuracy --calibrate; use it with --calibration.",
    "written": "{file}: calibration with own runs ({runs}).",
    "table_encoding": "{file} is not UTF-8 text; save the table as UTF-8 CSV.",
    "table_empty": "{file} holds no rows; a table of runs has a line of column names and rows.",
    "table_column_twice": "{file}: the column {column} stands there twice.",
    "table_row": "{file}, line {line}: {found} cells where the head has {wanted}.",
    "table_broken": "{file}, line {line}: {fault}.",
    "table_columns": "{file} lacks the column {columns}.",
    "cell": "row {row}, column {column}: {text!r} is not a number from zero up.",
    "tuning": "row {row}, column tuning: {text!r} is not one of {known}.",
    "accelerator": (
        "row {row}: the accelerator {name!r} is not known, and the row gives no peak_bf16_tflops."
    ),
    "title": "Predicted against measured",
    "runs": "Runs",
    "runs_value": "{runs} scored, {skipped} skipped",
    "median": "Median error",
    "p90": "90th percentile",
    "coverage": "Interval",
    "coverage_value": "holds {share} of the runs (meant for {interval})",
    "how": "How",
    "how_plain": (
        "Shipped constants; {seen} of these rows are among those that they were fitted on, "
        "and say nothing about new runs."
    ),
    "how_own": (
        "Constants that follow own runs; {seen} of these rows are among those that they were "
        "fitted on, and say nothing about new runs."
    ),
    "how_cluster": (
        "Every row predicted by constants fitted without its cluster (chip family, model, source)."
    ),
    "how_source": "Every row predicted by constants fitted without any row of its source.",
    "how_family": "Every row predicted by constants fitted without any row of its chip family.",
    "column_accelerator": "Accelerator",
    "column_tuning": "Stack",
    "column_runs": "Runs",
    "column_median": "Median",
    "column_p90": "p90",
    "column_coverage": "In interval",
    "column_id": "Row",
    "column_metric": "Metric",
    "column_measured": "Measured",
    "column_predicted": "Predicted",
    "column_error": "Error",
    "worst": "Worst rows",
    "skipped": "Skipped rows",
    "reason_no_rate": "no measured rate",
    "reason_model_size_unknown": "nothing says how large the model is",
    "reason_nothing_measured": "nothing to compare with",
    "reason_accelerator_unknown": "the accelerator is not known",
    "reason_chips_unknown": "the number of chips is not stated",
    "reason_lengths_unknown": "the lengths of prompt and answer are not stated",
    "reason_load_unknown": "how much load there was is not stated",
    "reason_no_datasheet": "the chip's datasheet is not published",
    "reason_speculative": "a draft model sped it up, in a way that is not stated",
    "reason_above_peak": "refused: faster than the peak FLOP/s of its chips",
    "reason_above_bandwidth": "refused: faster than its weights can be read",
    "reason_above_users": (
        "refused: more tokens than its users can receive at its own time per token"
    ),
}
