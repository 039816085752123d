import { diffLines } from 'diff'

export type DiffPart =
  | { readonly type: 'added' | 'removed' | 'same'; readonly text: string }
  | { readonly type: 'left out'; readonly lines: number; readonly text: string }

const MOST_CHANGES = 1_000

const PATIENCE = 500

const AROUND = 2

export function diffVersions(before: string, after: string): readonly DiffPart[] | null {
  const changes = diffLines(withBreak(before), withBreak(after), {
    maxEditLength: MOST_CHANGES,
    timeout: PATIENCE,
  })
  if (!changes) return null
  return changes.flatMap(({ value, added, removed }, place): DiffPart[] => {
    if (added || removed) return [{ type: added ? 'added' : 'removed', text: value }]
    return shorten(value, place === 0, place === changes.length - 1)
  })
}

function shorten(text: string, isFirst: boolean, isLast: boolean): DiffPart[] {
  const lines = text.split(/(?<=\n)/)
  const start = isFirst ? 0 : AROUND
  const end = isLast ? 0 : AROUND
  const leftOut = lines.length - start - end
  if (leftOut <= 1) return [{ type: 'same', text: lines.join('') }]
  const parts: DiffPart[] = [
    { type: 'same', text: lines.slice(0, start).join('') },
    { type: 'left out', lines: leftOut, text: lines.slice(start, lines.length - end).join('') },
    { type: 'same', text: lines.slice(lines.length - end).join('') },
  ]
  return parts.filter((part) => part.type !== 'same' || part.text !== '')
}

/** Without a final line break the last line would differ from the same line with one. */
const withBreak = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)
