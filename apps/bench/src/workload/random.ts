/** A seeded source of randomness, so that every run measures the same conversation. */
export interface Random {
  next(): number
  int(low: number, high: number): number
  pick<T>(values: readonly T[]): T
  /** Log-normal with this median, and this factor for one standard deviation. */
  logNormal(median: number, spread: number): number
}

/** The generator mulberry32: 32 bits of state, good enough for workloads. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number],
    logNormal(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return median * spread ** normal
    },
  }
}

export function shuffle<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}
