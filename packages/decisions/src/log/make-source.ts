import type { SourceMessage } from '../candidates/source-message.ts'
import { hashText } from './hash-text.ts'
import type { Source } from './source.ts'

/** A stretch of a message as a source. Offsets outside of the text are moved to its ends. */
export function makeSource(
  { message, turn, role, text }: Pick<SourceMessage, 'message' | 'turn' | 'role' | 'text'>,
  { session, start, end, edition }: Pick<Source, 'session' | 'start' | 'end' | 'edition'>,
): Source {
  const from = Math.max(0, Math.min(start, text.length))
  const to = Math.max(from, Math.min(end, text.length))
  const quote = text.slice(from, to)
  return { session, turn, message, role, start: from, end: to, quote, hash: hashText(quote), edition }
}
