import type { TokenCounter } from '@palimpsest/core'

/** Tokens of the line that says how much was left out. */
const MARK_TOKENS = 10

/**
 * A record that is longer than `maxTokens`, cut at the ends of lines: each section keeps its first lines, as many as its share of the
 * whole, and says how many are left out. A line that is too long alone ends with a sentence.
 */
export function trimRecord(text: string, maxTokens: number, tokens: TokenCounter): string {
  const size = tokens.countText(text)
  if (size <= maxTokens) return text
  return text
    .split(/\n(?=## )/)
    .map((section) => trimSection(section, (tokens.countText(section) * maxTokens) / size, tokens))
    .join('\n')
}

function trimSection(section: string, maxTokens: number, tokens: TokenCounter): string {
  const lines = section.split('\n')
  const kept: string[] = []
  let room = Math.max(0, maxTokens - MARK_TOKENS)
  for (const line of lines) {
    const cost = tokens.countText(line) + 1
    if (cost > room) {
      kept.push(...sentencesWithin(line, room, tokens))
      break
    }
    room -= cost
    kept.push(line)
  }
  const missing = lines.length - kept.length
  return missing === 0 ? kept.join('\n') : [...kept, `- … ${missing} lines left out`].join('\n')
}

function sentencesWithin(line: string, maxTokens: number, tokens: TokenCounter): string[] {
  let text = ''
  for (const sentence of line.split(/(?<=[.!?;。！？])\s+/)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    if (tokens.countText(longer) > maxTokens) break
    text = longer
  }
  return text === '' ? [] : [`${text} …`]
}
