/** A small seeded generator (mulberry32), so that fixtures are the same on every machine. */
export interface Random {
  /** At least 0, below `limit`. */
  below(limit: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number) => next() % limit
  return { below, pick: (items) => items[below(items.length)] ?? items[0] }
}
