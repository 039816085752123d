import { sliceCharacters } from '@palimpsest/core'
import type { TextMatch } from './matcher.ts'
import type { MessageHit } from './search-types.ts'
import { contextLines, cutSnippet, lineAt, MAX_CONTEXT_LINES, SNIPPET_CHARACTERS } from './snippet.ts'

/** The part of its text that a hit shows. */
export function describeMatch(
  text: string,
  match: TextMatch,
  context = 0,
): Pick<MessageHit, 'matches' | 'snippet' | 'found' | 'line' | 'position' | 'context'> {
  const { count, start, end } = match
  return {
    matches: count,
    snippet: cutSnippet(text, match),
    found: sliceCharacters(text, start, Math.min(end, start + SNIPPET_CHARACTERS)),
    line: lineAt(text, start),
    position: { start, length: end - start },
    ...(context > 0 && { context: contextLines(text, match, Math.min(context, MAX_CONTEXT_LINES)) }),
  }
}
