import type { SeqRange } from '@palimpsest/core'

export function isReplaced(ranges: readonly SeqRange[], seq: number): boolean {
  const range = ranges[firstEndingAt(ranges, seq)]
  return range !== undefined && range.first <= seq
}

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
