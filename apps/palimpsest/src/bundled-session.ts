import { fileURLToPath } from 'node:url'

/** A scripted conversation with answers of real tools. */
export const BUNDLED_SESSION = fileURLToPath(new URL('../sessions/ledger.jsonl', import.meta.url))

export const RECORDED_FOLDER = new URL('../sessions/recorded/', import.meta.url)
