import { hash } from 'node:crypto'

/** SHA-256 of a text in hexadecimal. Lone surrogates are hashed as what UTF-8 makes of them. */
export function hashText(text: string): string {
  return hash('sha256', text)
}
