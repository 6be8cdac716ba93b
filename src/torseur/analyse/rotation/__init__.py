"""The rotation of one body: free, with a gyroscope, tumbling."""
