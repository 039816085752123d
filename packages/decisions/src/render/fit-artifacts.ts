import { sectionHeading } from './entry.ts'
import { lineText } from './line-text.ts'
import type { TouchedFiles } from './touched-files.ts'

const FOLDER_TOKENS = 60
const HEADING = sectionHeading('files touched')

/** The part about files, in at most `room` tokens: the lines that matter most, in the order of their first touch. */
export function fitArtifacts(
  touched: TouchedFiles,
  room: number,
  count: (line: string) => number,
): { readonly lines: readonly string[]; readonly tokens: number } {
  const { folder, lines: every, files: all } = touched.lines()
  const heading = folder === '' ? HEADING : `${HEADING} (below ${lineText(folder, FOLDER_TOKENS)})`
  const lines = every.map((line) => ({ ...line, cost: count(line.text) }))
  const headingTokens = count(heading) + count(restLine(all))
  const chosen = new Set<(typeof lines)[number]>()
  let tokens = headingTokens
  for (const line of [...lines].sort((a, b) => b.value / b.cost - a.value / a.cost)) {
    if (tokens + line.cost > room) continue
    tokens += line.cost
    chosen.add(line)
  }
  if (chosen.size === 0) return { lines: [], tokens: 0 }
  const shown = lines.filter((line) => chosen.has(line))
  const missing = all - shown.reduce((sum, { files }) => sum + files, 0)
  const rest = missing === 0 ? [] : [restLine(missing)]
  return { lines: [heading, ...shown.map(({ text }) => text), ...rest], tokens }
}

function restLine(files: number): string {
  return `- and ${files} more ${files === 1 ? 'file' : 'files'}`
}
