// Empty: only the dependencies are of interest.
