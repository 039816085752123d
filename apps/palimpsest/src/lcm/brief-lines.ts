import { counted } from '../count.ts'

/** Lines of a text that `--brief` shows. */
const SHOWN_LINES = 3

/** The first lines of a text, and how many more it has. */
export function briefLines(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN_LINES
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${counted(more, 'more line')}`] : [...lines]
}
