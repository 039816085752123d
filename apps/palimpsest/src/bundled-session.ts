import { fileURLToPath } from 'node:url'

export const BUNDLED_SESSION = fileURLToPath(new URL('../sessions/ledger.jsonl', import.meta.url))

export const RECORDED_FOLDER = new URL('../sessions/recorded/', import.meta.url)
