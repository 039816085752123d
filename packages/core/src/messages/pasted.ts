export interface TextRange {
  readonly start: number
  readonly end: number
}

/** A block of this many characters between two short paragraphs counts as pasted; a short paragraph has fewer. */
const LONG_BLOCK = 800
const SHORT_PARAGRAPH = 240

/** Above this many characters, everything but the ends of a message counts as pasted. */
const MOST_TYPED = 40_000
const TYPED_END = 10_000

const FENCE = /^\s{0,3}(?:```|~~~)/
const QUOTED = /^\s{0,3}>/
const DIFF = /^(?:diff --git |index [0-9a-f]+\.\.|@@ .*@@|[-+]{3} \S)/
const LOG =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[\s.,\]]|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b[\]:\s]|at \S.*:\d+\)?$|Traceback \(|npm (?:ERR|WARN))/
const MAIL_HEADER =
  /^(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|Gesendet|De|À|Objet|Para|Asunto|Da|Oggetto):\s/
const MAIL_START =
  /^(?:-{2,}\s*(?:Original|Forwarded|Weitergeleitet)|Begin forwarded message|On .{5,200} wrote:\s*$|Am .{5,200} schrieb )/i
const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/

const ANNOUNCED =
  /\b(?:e?-?mails?|messages?|comments?|reviews?|issues?|tickets?|reports?|logs?|output|trace|adrs?|rfcs?|docs?|document(?:ation)?|pages?|readme|wiki|articles?|posts?|tweets?|threads?|chats?|conversation|transcript|notes?|minutes|snippets?|excerpts?|files?|configs?|configuration|yaml|json|csv|tables?|diff|patch|prs?|pull request|commits?|answers?|reply|replies|feedback|drafts?|proposals?|letters?|slack|pasted?|text|from [A-Z]\w+|say|says|said|wrote|writes|asks|replied|posted|suggests|told (?:me|us))\b[^:\n]{0,80}:\s*$/i
const TAKEN_OVER =
  /\b(?:follow|use|apply|adopt|obey|respect|keep to|stick to|remember|write|add|put|set|change|rename|our|my|i|we)\b/i
const DOCUMENT =
  /^(?:#{1,6} (?:ADR|RFC|PR|Issue|Bug|Decision|Status|Context|Consequences|Changelog|Release notes|Proposal|Summary)\b|(?:Issue|PR|Ticket|Bug|Story) #?\d+|#\d+[: ]|\[?[A-Z]{2,10}-\d+\]?[: ]|commit [0-9a-f]{7,40}\b|Author: [^<\n]{1,80}<)/i
const TIMED =
  /^(?:\[?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AP]M)?\]?[ ,-]+\S.{0,40}?[:>]|\S.{0,40}[ ,(–—-]+\d{1,2}:\d\d(?: ?[AP]M)?\)?:?$|<[@\w .-]{1,40}> )/
const SPEAKER = /^([A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30})?): \S/
const STRUCTURED =
  /^\s*(?:\/\/|\/\*|\*\/|<!--|<\/?[a-z][\w:-]{0,40}[\s>/]|\||[{}\]]|\[\s*$|"[\w .-]{1,60}":|(?:import|const|let|var|def|class|function|public|private|return|SELECT|INSERT|CREATE)\s.*[;{:(]\s*$)/
const CELLS = /^[^\s,;\t][^,;\t]*(?:,(?! )|[;\t])[^,;\t]*(?:(?:,(?! )|[;\t])[^,;\t]*)*$/
const KEY = /^\s*(?:- )?[a-z][\w.-]{0,40}:(?:\s|$)/
const KEY_OR_LEVEL = new RegExp(`${KEY.source}|^\\s+\\S`)
const RELAYED =
  /(?<by>\baccording to) [^,.!?\n]{1,80}[^.!?\n]*|(?<!\b(?:i|we|i've|we've|i'd|we'd|i have|we have|let's) )(?<verb>\b(?:says?|said|wrote|writes|told (?:me|us)|claims?|claimed|suggests?|suggested|recommends?|recommended|argues?|commented|replied|answered|posted|tweeted|announced)\b)(?:[^.!?\n"“”]{0,60}["“][^"”\n]{0,2000}["”]?|[^.!?\n;]*?(?=,? but\b|, (?:so|let's|i|we|and (?:i|we)|please|go)\b|[.!?;](?:\s|$)|[.!?;\n]|$))/gi

/**
 * Finds the parts of a user's message that the user did not write: fences and quotes, mail, diffs, logs, chats,
 * documents, data, code, reported speech, announced blocks, and long blocks between short paragraphs. The ranges are
 * sorted and do not overlap. In a text too long to be typed, the middle counts as pasted.
 */
export function pastedRanges(text: string): readonly TextRange[] {
  if (text.length > MOST_TYPED) {
    const tail = text.length - TYPED_END
    const last = pastedRanges(text.slice(tail)).map(({ start, end }) => ({
      start: start + tail,
      end: end + tail,
    }))
    return joined([...pastedRanges(text.slice(0, TYPED_END)), { start: TYPED_END, end: tail }, ...last])
  }
  const lines = linesOf(text)
  const isPasted = lines.map(({ line }) => QUOTED.test(line) || DIFF.test(line) || LOG.test(line))
  markFences(lines, isPasted)
  markDiffs(lines, isPasted)
  markMail(lines, isPasted)
  markLongBlock(lines, isPasted)
  markAnnounced(lines, isPasted)
  markDocument(lines, isPasted)
  markChat(lines, isPasted)
  markStructured(lines, isPasted)
  const ranges: TextRange[] = relayedRanges(text)
  lines.forEach(({ start, end }, index) => {
    if (isPasted[index]) ranges.push({ start, end })
  })
  return joined(ranges)
}

function joined(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || start > last.end + 1) result.push({ start, end })
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, end) }
  }
  return result
}

/** True if more than half of a range was pasted. */
export function isPasted(text: string, { start, end }: TextRange): boolean {
  const inside = pastedRanges(text).reduce(
    (sum, range) => sum + Math.max(0, Math.min(end, range.end) - Math.max(start, range.start)),
    0,
  )
  return inside * 2 > end - start
}

interface Line extends TextRange {
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

function markDiffs(lines: readonly Line[], marks: boolean[]): void {
  let isHunk = false
  lines.forEach(({ line }, index) => {
    if (/^@@ .*@@/.test(line)) isHunk = true
    else if (isHunk && !/^[-+ \\]/.test(line)) isHunk = false
    if (isHunk) marks[index] = true
  })
}

function markMail(lines: readonly Line[], marks: boolean[]): void {
  const first = lines.findIndex(
    ({ line }, index) =>
      MAIL_START.test(line) || (MAIL_HEADER.test(line) && MAIL_HEADER.test(lines[index + 1]?.line ?? '')),
  )
  if (first === -1) return
  markToEnd(lines, marks, first)
}

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

function markAnnounced(lines: readonly Line[], marks: boolean[]): void {
  const at = lines.findIndex(({ line }) => ANNOUNCED.test(line) && !TAKEN_OVER.test(line))
  if (at !== -1) markToEnd(lines, marks, at + 1)
}

function markDocument(lines: readonly Line[], marks: boolean[]): void {
  const at = lines.findIndex(({ line }) => DOCUMENT.test(line))
  if (at !== -1) markToEnd(lines, marks, at)
}

const ASKED =
  /[?？]\s*$|^(?:please|can|could|would|what|how|why|explain|summari[sz]e|translate|fix|reply|answer|check|review|find|tell|help|begin|bitte)\b/i

function markToEnd(lines: readonly Line[], marks: boolean[], from: number): void {
  const first =
    from +
    Math.max(
      0,
      lines.slice(from).findIndex(({ line }) => line.trim() !== ''),
    )
  const last = lastParagraph(lines)
  const asked = lines.slice(last.from).map(({ line }) => line)
  const isOwn = last.from > first && last.size <= SHORT_PARAGRAPH && ASKED.test(asked.join('\n').trim())
  marks.fill(true, first, isOwn ? last.from : lines.length)
}

function markChat(lines: readonly Line[], marks: boolean[]): void {
  const names = lines.map(({ line }) => SPEAKER.exec(line)?.[1])
  const named = names.filter((name) => name !== undefined)
  const isChat = new Set(named).size < named.length
  let isSaid = false
  lines.forEach(({ line }, index) => {
    if (TIMED.test(line)) isSaid = true
    else if (line.trim() === '') isSaid = false
    if (isSaid || (isChat && names[index] !== undefined)) marks[index] = true
  })
}

function markStructured(lines: readonly Line[], marks: boolean[]): void {
  let isComment = false
  lines.forEach(({ line }, index) => {
    if (line.includes('/*')) isComment = true
    if (isComment || STRUCTURED.test(line)) marks[index] = true
    if (line.includes('*/')) isComment = false
  })
  markRuns(lines, marks, CELLS, () => true)
  const isLeveled = (run: readonly Line[]) =>
    KEY.test(run[0]?.line ?? '') && run.some(({ line }) => /^\s+\S|:\s*$/.test(line))
  markRuns(lines, marks, KEY_OR_LEVEL, isLeveled)
}

function markRuns(
  lines: readonly Line[],
  marks: boolean[],
  pattern: RegExp,
  isData: (run: readonly Line[]) => boolean,
): void {
  for (let start = 0; start < lines.length; start++) {
    let end = start
    while (end < lines.length && pattern.test(lines[end]?.line ?? '')) end++
    if (end - start > 1 && isData(lines.slice(start, end))) marks.fill(true, start, end)
    start = Math.max(start, end - 1)
  }
}

function relayedRanges(text: string): TextRange[] {
  return [...text.matchAll(RELAYED)].flatMap(({ 0: said, index, groups: { verb, by } = {} }) => {
    const start = index + (verb ?? by ?? '').length
    const end = index + said.length
    return text.slice(start, end).trim() === '' ? [] : [{ start, end }]
  })
}

function lastParagraph(lines: readonly Line[]): { readonly from: number; readonly size: number } {
  const end = lines.findLastIndex(({ line }) => line.trim() !== '')
  const gap = lines.slice(0, end + 1).findLastIndex(({ line }) => line.trim() === '')
  return { from: gap + 1, size: (lines[end]?.end ?? 0) - (lines[gap + 1]?.start ?? 0) }
}
