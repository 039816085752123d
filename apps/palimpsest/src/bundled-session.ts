import { fileURLToPath } from 'node:url'

/** The session that comes with the command line; `fixtures/demo` made it. */
export const BUNDLED_SESSION = fileURLToPath(new URL('../sessions/ledger.jsonl', import.meta.url))
