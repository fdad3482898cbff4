"""What runs inside the guest's browser, on Pyodide, beside the same packages as everywhere else."""
