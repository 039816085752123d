import { sliceCharacters } from '../messages/slice-characters.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'

/** Tokens of the line that says how much was left out. */
const MARK_TOKENS = 10

/**
 * A summary that is longer than asked, cut to `maxTokens`: short sections stay whole, long ones give up their
 * middle, so that what stands first and what came last stay. A line says how many are missing. The text itself
 * when it fits.
 */
export function trimSummary(text: string, maxTokens: number, tokens: TokenCounter): string {
  if (tokens.countText(text) <= maxTokens) return text
  const sections = text.split(/\n(?=## )/)
  const wanted = sections.map((section) => tokens.countText(section))
  const shares = shareOut(wanted, maxTokens)
  return sections
    .map((section, index) => trimSection(section, shares[index] ?? 0, tokens))
    .filter((section) => section !== '')
    .join('\n')
}

/** Shares out a total: no share is larger than wanted, and the others are equal. */
function shareOut(wanted: readonly number[], total: number): number[] {
  const shares = wanted.map(() => 0)
  const order = wanted.map((count, index) => ({ count, index })).sort((a, b) => a.count - b.count)
  let rest = total
  order.forEach(({ count, index }, served) => {
    const share = Math.min(count, Math.floor(rest / (order.length - served)))
    shares[index] = share
    rest -= share
  })
  return shares
}

function trimSection(section: string, maxTokens: number, tokens: TokenCounter): string {
  if (tokens.countText(section) <= maxTokens) return section
  const lines = section.split('\n')
  const counts = lines.map((line) => tokens.countText(line) + 1)
  let room = maxTokens - MARK_TOKENS
  let first = 0
  let last = lines.length
  // Lines are taken from both ends in turn until the room is used.
  for (let fromEnd = false; first < last; fromEnd = !fromEnd) {
    const cost = counts[fromEnd ? last - 1 : first] ?? 0
    if (cost > room) break
    room -= cost
    if (fromEnd) last--
    else first++
  }
  const missing = last - first
  if (missing === 0) return section
  const kept = lines.slice(0, first)
  // A section of one long line is better cut than lost.
  if (first <= 1) kept.push(cutLine(lines[first] ?? '', room, tokens))
  return [...kept, `- … ${missing} lines left out`, ...lines.slice(last)].join('\n').trim()
}

function cutLine(line: string, maxTokens: number, tokens: TokenCounter): string {
  let length = Math.min(line.length, Math.max(0, maxTokens) * 4)
  while (length > 0 && tokens.countText(line.slice(0, length)) > maxTokens) length = Math.floor(length / 2)
  return sliceCharacters(line, 0, length)
}
