import { fileURLToPath } from 'node:url'

/** The session that comes with the command line: a scripted talk, with the answers of real tools. */
export const BUNDLED_SESSION = fileURLToPath(new URL('../sessions/ledger.jsonl', import.meta.url))

/** What a model wrote and answered on it. */
export const RECORDED_FOLDER = new URL('../sessions/recorded/', import.meta.url)
