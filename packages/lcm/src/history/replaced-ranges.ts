import type { SeqRange } from '../store/lcm-session.ts'

/** True for a message that others took the place of. `ranges` are those of a head: in order and disjoint. */
export function isReplaced(ranges: readonly SeqRange[], seq: number): boolean {
  const range = ranges[firstEndingAt(ranges, seq)]
  return range !== undefined && range.first <= seq
}

/** The number of messages from `first` to `last`, both inclusive, that are not replaced. */
export function countLive(ranges: readonly SeqRange[], first: number, last: number): number {
  if (last < first) return 0
  let live = last - first + 1
  for (let index = firstEndingAt(ranges, first); index < ranges.length; index++) {
    const range = ranges[index]
    if (range === undefined || range.first > last) break
    live -= Math.min(range.last, last) - Math.max(range.first, first) + 1
  }
  return live
}

/** The first number from `seq` on that is not replaced. There need not be a message of that number yet. */
export function nextLive(ranges: readonly SeqRange[], seq: number): number {
  let next = seq
  for (let index = firstEndingAt(ranges, seq); index < ranges.length; index++) {
    const range = ranges[index]
    if (range === undefined || range.first > next) break
    next = range.last + 1
  }
  return next
}

/** The last number up to `seq` that is not replaced; -1 when all are. */
export function previousLive(ranges: readonly SeqRange[], seq: number): number {
  let previous = seq
  for (let index = ranges.length - 1; index >= 0; index--) {
    const range = ranges[index]
    if (range === undefined || range.last < previous) break
    if (range.first <= previous) previous = range.first - 1
  }
  return previous
}

/** The numbers of all messages that were not replaced, in order. */
export function liveSeqs({
  nextSeq,
  replaced,
}: {
  readonly nextSeq: number
  readonly replaced: readonly SeqRange[]
}): number[] {
  const seqs: number[] = []
  let seq = 0
  for (const { first, last } of [...replaced, { first: nextSeq, last: nextSeq }]) {
    while (seq < first) seqs.push(seq++)
    seq = last + 1
  }
  return seqs
}

/** The ranges after everything from `from` to `last` was replaced too. Ranges that touch become one. */
export function replaceFrom(ranges: readonly SeqRange[], from: number, last: number): readonly SeqRange[] {
  if (from > last) return ranges
  const before = rangesBefore(ranges, from)
  const previous = before.at(-1)
  return previous?.last === from - 1
    ? [...before.slice(0, -1), { first: previous.first, last }]
    : [...before, { first: from, last }]
}

/** The parts of the ranges before message `seq`. */
export function rangesBefore(ranges: readonly SeqRange[], seq: number): readonly SeqRange[] {
  return ranges
    .filter(({ first }) => first < seq)
    .map(({ first, last }) => ({ first, last: Math.min(last, seq - 1) }))
}

/** Index of the first range that ends at `seq` or behind it. */
function firstEndingAt(ranges: readonly SeqRange[], seq: number): number {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.last ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}
