import { lazily } from '@palimpsest/core/options'

/** SHA-256 of a text in hexadecimal. Lone surrogates are hashed as what UTF-8 makes of them. */
export function hashText(text: string): string {
  return crypto().hash('sha256', text)
}

/** Loaded with the first hash: it takes longer to load than all rules do. */
const crypto = lazily(() => process.getBuiltinModule('node:crypto'))
