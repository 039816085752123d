import { hashText } from '../log/hash-text.ts'
import type { Source } from '../log/source.ts'
import type { DecisionsToolsInput } from './tools-input.ts'

/** Characters of a message that are shown on each side of a quote. */
const CONTEXT_CHARACTERS = 200
const QUOTE_CHARACTERS = 800
/** All but tabs and line breaks. */
const CONTROLS = /[^\P{Cc}\t\n]/gu

/**
 * A source as it was said: the quote with what stands around it, and whether the stored message still has it.
 * `verified`: it does, by hash. `changed`: another text stands there by now. `missing`: the message is not stored here.
 */
export async function sourceFacts(source: Source, { session, sourceAt }: DecisionsToolsInput) {
  const { start, end, hash, role, turn, message } = source
  const stored = await sourceAt(source.session, message)
  const isVerified = stored !== undefined && hashText(stored.text.slice(start, end)) === hash
  return {
    role,
    turn,
    message,
    ...(source.session !== session && { session: source.session.slice(0, 200).toWellFormed() }),
    quote: cut(source.quote, 0, QUOTE_CHARACTERS),
    ...(isVerified && {
      context: cut(
        stored.text,
        Math.max(0, start - CONTEXT_CHARACTERS),
        Math.min(end, start + QUOTE_CHARACTERS) + CONTEXT_CHARACTERS,
      ),
    }),
    check: stored === undefined ? 'missing' : isVerified ? 'verified' : 'changed',
  }
}

function cut(text: string, from: number, to: number): string {
  const part = text.slice(from, to).toWellFormed().replace(CONTROLS, ' ')
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
