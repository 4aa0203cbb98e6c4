"""What training, fine-tuning and serving a model costs, on which hardware, where, and how sure."""

__version__ = "0.1.0"
