/** A stretch of a text, in UTF-16 units. */
interface Range {
  readonly start: number
  readonly end: number
}

/** A block of this many characters between two short paragraphs was pasted; so short is a paragraph around it. */
const LONG_BLOCK = 800
const SHORT_PARAGRAPH = 240

const FENCE = /^\s{0,3}(?:```|~~~)/
const QUOTED = /^\s{0,3}>/
const DIFF = /^(?:diff --git |index [0-9a-f]+\.\.|@@ .*@@|[-+]{3} \S)/
const LOG =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[\s.,\]]|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b[\]:\s]|at \S.*:\d+\)?$|Traceback \(|npm (?:ERR|WARN))/
/** Header lines of mail, and the lines above a mail that was forwarded or answered. */
const MAIL_HEADER =
  /^(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|Gesendet|De|À|Objet|Para|Asunto|Da|Oggetto):\s/
const MAIL_START =
  /^(?:-{2,}\s*(?:Original|Forwarded|Weitergeleitet)|Begin forwarded message|On .{5,200} wrote:\s*$|Am .{5,200} schrieb )/i
const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/

/**
 * The parts of a user's message that the user shows and did not write: fenced and quoted text, mail, diffs, logs, and a long block
 * between two short paragraphs. In order, without overlaps.
 */
export function pastedRanges(text: string): readonly Range[] {
  const lines = linesOf(text)
  const isPasted = lines.map(({ line }) => QUOTED.test(line) || DIFF.test(line) || LOG.test(line))
  markFences(lines, isPasted)
  markDiffs(lines, isPasted)
  markMail(lines, isPasted)
  markLongBlock(lines, isPasted)
  const ranges: Range[] = []
  lines.forEach(({ start, end }, index) => {
    if (!isPasted[index]) return
    const last = ranges.at(-1)
    if (isPasted[index - 1] && last) ranges[ranges.length - 1] = { start: last.start, end }
    else ranges.push({ start, end })
  })
  return ranges
}

/** True for a stretch of which more than half was pasted. */
export function isPasted(text: string, { start, end }: Range): boolean {
  const inside = pastedRanges(text).reduce(
    (sum, range) => sum + Math.max(0, Math.min(end, range.end) - Math.max(start, range.start)),
    0,
  )
  return inside * 2 > end - start
}

interface Line extends Range {
  readonly line: string
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const end = start + line.length
    const found = { line, start, end }
    start = end + 1
    return found
  })
}

function markFences(lines: readonly Line[], marks: boolean[]): void {
  let isOpen = false
  lines.forEach(({ line }, index) => {
    const isFence = FENCE.test(line)
    if (isOpen || isFence) marks[index] = true
    if (isFence) isOpen = !isOpen
  })
}

/** The changed and unchanged lines after the head of a hunk. */
function markDiffs(lines: readonly Line[], marks: boolean[]): void {
  let isHunk = false
  lines.forEach(({ line }, index) => {
    if (/^@@ .*@@/.test(line)) isHunk = true
    else if (isHunk && !/^[-+ \\]/.test(line)) isHunk = false
    if (isHunk) marks[index] = true
  })
}

/** A mail goes on to the end, but for a short paragraph under it. */
function markMail(lines: readonly Line[], marks: boolean[]): void {
  const first = lines.findIndex(
    ({ line }, index) =>
      MAIL_START.test(line) || (MAIL_HEADER.test(line) && MAIL_HEADER.test(lines[index + 1]?.line ?? '')),
  )
  if (first === -1) return
  const last = lastParagraph(lines)
  const isOwn = last.from > first + 2 && last.size <= SHORT_PARAGRAPH
  for (let index = first; index < (isOwn ? last.from : lines.length); index++) marks[index] = true
}

/** A list between short paragraphs is how users write down rules, so it counts as theirs. */
function markLongBlock(lines: readonly Line[], marks: boolean[]): void {
  const gap = lines.findIndex(({ line }, index) => index > 0 && line.trim() === '')
  if (gap === -1 || (lines[gap]?.start ?? 0) > SHORT_PARAGRAPH) return
  const last = lastParagraph(lines)
  if (last.from <= gap || last.size > SHORT_PARAGRAPH) return
  const block = lines.slice(gap, last.from).filter(({ line }) => line.trim() !== '')
  const size = block.reduce((sum, { line }) => sum + line.length, 0)
  const items = block.filter(({ line }) => LIST_ITEM.test(line)).length
  if (size < LONG_BLOCK || items * 2 > block.length) return
  for (let index = gap; index < last.from; index++) marks[index] = true
}

function lastParagraph(lines: readonly Line[]): { readonly from: number; readonly size: number } {
  const end = lines.findLastIndex(({ line }) => line.trim() !== '')
  const gap = lines.slice(0, end + 1).findLastIndex(({ line }) => line.trim() === '')
  return { from: gap + 1, size: (lines[end]?.end ?? 0) - (lines[gap + 1]?.start ?? 0) }
}
