# One-line aliases; the logic lives in crates/xtask.

# Build what changed and run the casino on http://127.0.0.1:8080
start *args:
    cargo xtask start -- {{args}}

# Every check and test
test *args:
    cargo xtask test {{args}}

# The architecture's and the source's rules
tidy:
    cargo xtask tidy

# Refresh the OpenAPI document and the front end's types
generate:
    cargo xtask generate

# Measure bets a second and latencies
bench *args:
    cargo xtask bench {{args}}

# Run a command beside a throw-away PostgreSQL
postgres *command:
    cargo xtask postgres -- {{command}}
