"""Live prices and exchange rates: providers' price APIs, Banxico, ECB, and what came in.

Imports of boto3, google-cloud-billing and httpx happen only in this package, and only inside the
functions that fetch. Reading the store needs the standard library alone.
"""
