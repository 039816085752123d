export const LCM_EXAMPLES = `
Examples:
  $ palimpsest lcm import sessions/ --store sessions.db
  $ palimpsest lcm grep "api key" --store sessions.db --all
  $ palimpsest lcm grep 'E[A-Z]+: .*config' --mode regex --role tool --context 2 --store sessions.db
  $ palimpsest lcm expand m57 --store sessions.db --session ledger
  $ palimpsest lcm context --at m57 --store sessions.db
  $ palimpsest lcm verify --store sessions.db
  $ palimpsest lcm export --store sessions.db > sessions.jsonl
  $ palimpsest lcm copy sessions.db postgres://me@db.example.org/agents
  $ palimpsest lcm stats --store postgres://me@db.example.org/agents

A message is m57, a summary s3. The store is a file or the address of a PostgreSQL database; --store may be left out
when config.yaml has "store: <file or address>" in the block "lcm:", or "url: <address>" in the block "store:", or when
PALIMPSEST_STORE_URL is set.
The frontier is the list of summaries that stand for older messages; each compaction makes a new version of it.
A principal is the owner of a session, a user or a tenant; without --principal it is the configuration's, or local.
The doctor checks the store, its indexes and counters; verify reads every message and summary and proves them.
Exit codes: 0 all well, 1 verify or doctor found a fault, or export or copy left a session out, 2 the call, the file or
the store was wrong, 130 the answer to forget was no.`

export const IMPORT_EXAMPLES = `
Examples:
  $ palimpsest lcm import session.jsonl --store sessions.db
  $ palimpsest lcm import ~/.pi/agent/sessions/project --store sessions.db
  $ palimpsest lcm import backup.jsonl --store sessions.db          (written by palimpsest lcm export)
  $ palimpsest lcm export --store old.db | palimpsest lcm import - --store new.db

A recording with no message in common with the stored session of its name is refused: give it a name with --session.
Formats, detected from the content: pi, Claude Code, Codex, opencode, messages of OpenAI or Anthropic as JSON or JSONL.`

export const COPY_EXAMPLES = `
Examples:
  $ palimpsest lcm copy sessions.db postgres://me@db.example.org/agents
  $ palimpsest lcm copy postgres://me@db.example.org/agents archive.db --principal ann
  $ palimpsest lcm copy sessions.db other.db --session ledger

Each session is at the destination whole or not at all. Run a stopped copy again, and it goes
on: existing messages are compared, not written twice. A session that differs at the destination, or
has more there, is reported and left as it is. The sha256 is that of "palimpsest lcm export" of the same sessions.
The password of a database may be in PGPASSWORD instead of its address.
Exit codes: 0 the sessions are equal in both stores, 1 some are not, 2 the call or a store was wrong, 130 stopped.`
