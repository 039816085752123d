import type { Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { makeSource, type Source } from '../log/source.ts'
import { CANDIDATE_BOUNDS, safeEnd } from './bounds.ts'
import type { ResolveContext } from './resolve-context.ts'

/** The source of a stretch: at most 600 characters of it. Undefined when nothing is said there. */
export function sourceOfSpan(span: Span, context: ResolveContext): Source | undefined {
  const message = context.messageAt(span.message)
  return message && quoteOf(message, span.start, span.end, context)
}

function quoteOf(
  message: SourceMessage,
  from: number,
  to: number,
  { session, edition }: ResolveContext,
): Source | undefined {
  const { text } = message
  const start = safeEnd(text, Math.max(0, Math.min(from, text.length)))
  const end = safeEnd(text, Math.min(to, start + CANDIDATE_BOUNDS.quote, text.length))
  const quote = text.slice(start, Math.max(start, end))
  if (quote.trim() === '') return undefined
  const lead = quote.length - quote.trimStart().length
  return makeSource(message, { session, edition, start: start + lead, end: start + quote.trimEnd().length })
}
