# Aliases for the commands of crates/xtask.

# Build what changed and run the casino on http://127.0.0.1:8080
start *args:
    cargo xtask start -- {{args}}

# Run all checks and tests
test *args:
    cargo xtask test {{args}}

# Check the architecture and source rules
tidy:
    cargo xtask tidy

# Regenerate the OpenAPI document and the front end's types
generate:
    cargo xtask generate

# Measure bets per second and latencies
bench *args:
    cargo xtask bench {{args}}

# Play while servers and databases are killed, and compare what is stored
torture *args:
    cargo xtask torture {{args}}

# Kill the primary of a cluster twenty times
cluster *args:
    cargo xtask cluster {{args}}

# Run a command with a temporary PostgreSQL
postgres *command:
    cargo xtask postgres -- {{command}}
