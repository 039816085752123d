import type { Hash } from 'node:crypto'
import { lazily } from '@palimpsest/core/options'

/** SHA-256 of a text in hexadecimal. Lone surrogates are hashed as what UTF-8 makes of them. */
export function hashText(text: string): string {
  return crypto().hash('sha256', text)
}

/** The same of a text that comes in parts. */
export function createTextHash(): Hash {
  return crypto().createHash('sha256')
}

/** Loaded with the first hash: it takes longer to load than all rules do. */
const crypto = lazily(() => process.getBuiltinModule('node:crypto'))
