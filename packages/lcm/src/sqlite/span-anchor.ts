/** Bits of a version number. */
const BITS = 31

/**
 * The version by which a span that has ended is found: of the versions in which it was in force, both ends inclusive,
 * the one that the highest power of two divides. Spans of one anchor were all in force together, so that there are no
 * more of them than a frontier has summaries. (An interval tree whose nodes are the numbers themselves, after
 * Kriegel, Poetke and Seidl: Managing Intervals Efficiently in Object-Relational Databases, VLDB 2000.)
 */
export function anchorOf(first: number, last: number): number {
  const level = BITS - Math.clz32((first - 1) ^ last)
  return (last >>> level) << level
}

/** The anchors that a span can have that was in force in a version: one of each power of two, and 0. */
export function anchorsAround(version: number): number[] {
  const anchors = new Set([0])
  for (let level = 0; level < BITS; level++)
    anchors.add(((version >>> level) >>> 1) * 2 ** (level + 1) + 2 ** level)
  return [...anchors]
}
