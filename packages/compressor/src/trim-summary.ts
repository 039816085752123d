import type { TokenCounter } from '@palimpsest/core'

/**
 * A summary that is longer than asked, cut to `maxTokens`: every section keeps its heading and its first lines,
 * and gives up the same share. The text itself when it fits.
 */
export function trimSummary(text: string, maxTokens: number, tokens: TokenCounter): string {
  const total = tokens.countText(text)
  if (total <= maxTokens) return text
  const sections = text.split(/\n(?=## )/)
  const counts = sections.map((section) => tokens.countText(section))
  const share =
    maxTokens /
    Math.max(
      1,
      counts.reduce((sum, count) => sum + count, 0),
    )
  return sections
    .map((section, index) => firstLines(section, Math.floor((counts[index] ?? 0) * share), tokens))
    .filter((section) => section !== '')
    .join('\n')
}

function firstLines(section: string, maxTokens: number, tokens: TokenCounter): string {
  const kept: string[] = []
  let sum = 0
  for (const line of section.split('\n')) {
    const count = tokens.countText(line) + 1
    if (sum + count > maxTokens) {
      // One long line is better cut than lost.
      if (kept.length <= 1) kept.push(cutLine(line, maxTokens - sum, tokens))
      break
    }
    kept.push(line)
    sum += count
  }
  return kept.join('\n').trim()
}

function cutLine(line: string, maxTokens: number, tokens: TokenCounter): string {
  let length = Math.min(line.length, Math.max(0, maxTokens) * 4)
  while (length > 0 && tokens.countText(line.slice(0, length)) > maxTokens) length = Math.floor(length / 2)
  const code = line.charCodeAt(length - 1)
  return line.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}
