export const LCM_EXAMPLES = `
Examples:
  $ palimpsest lcm import sessions/ --store sessions.db
  $ palimpsest lcm grep "api key" --store sessions.db --all
  $ palimpsest lcm grep 'E[A-Z]+: .*config' --mode regex --role tool --context 2 --store sessions.db
  $ palimpsest lcm expand m57 --store sessions.db --session ledger
  $ palimpsest lcm context --at m57 --store sessions.db
  $ palimpsest lcm verify --store sessions.db
  $ palimpsest lcm export --store sessions.db > sessions.jsonl
  $ palimpsest lcm sessions --store postgres://me@db.example.org/agents

A message is m57, a summary s3. The store is a file or the address of a PostgreSQL database; --store may be left out
when config.yaml has "store: <file or address>" in the block "lcm:", or "url: <address>" in the block "store:", or when
PALIMPSEST_STORE_URL is set.
The frontier is the list of summaries that stand for older messages; each compaction makes a new version of it.
A principal is the owner of a session, a user or a tenant; without --principal it is the configuration's, or local.
Exit codes: 0 all well, 1 verify found a fault, 2 the call, the file or the store was wrong, 130 the answer to forget was no.`

export const IMPORT_EXAMPLES = `
Examples:
  $ palimpsest lcm import session.jsonl --store sessions.db
  $ palimpsest lcm import ~/.pi/agent/sessions/project --store sessions.db
  $ palimpsest lcm import backup.jsonl --store sessions.db          (written by palimpsest lcm export)
  $ palimpsest lcm export --all-principals --store old.db | palimpsest lcm import - --store postgres://me@db.example.org/agents

A recording with no message in common with the stored session of its name is refused: give it a name with --session.
Formats, detected from the content: pi, Claude Code, Codex, opencode, messages of OpenAI or Anthropic as JSON or JSONL.`
