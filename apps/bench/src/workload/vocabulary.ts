import data from '../../data/vocabulary.json' with { type: 'json' }

const WORDS = data.words.split(' ')
const SYLLABLES = data.syllables.split(' ')

/** Matches the density of identifiers in recorded sessions: 8 to 10 mentions in 1,000 characters. */
const IDENTIFIER_SHARE = 0.06
const IDENTIFIER_SKEW = 6

export type Vocabulary = ReturnType<typeof createVocabulary>

export function createVocabulary(random: Random, identifiers: number) {
  const names = Array.from({ length: identifiers }, () => {
    const parts = Array.from(
      { length: random.int(2, 4) },
      () => random.pick(SYLLABLES) + random.pick(SYLLABLES),
    )
    return parts.map((part, index) => (index === 0 ? part : part[0]?.toUpperCase() + part.slice(1))).join('')
  })
  const common = (): string => WORDS[Math.floor(WORDS.length ** random.next()) - 1] ?? 'the'
  const identifier = (): string =>
    names[Math.floor(names.length * random.next() ** IDENTIFIER_SKEW)] ?? 'main'
  return {
    identifier,
    path: (): string => `src/${random.pick(SYLLABLES)}${random.pick(SYLLABLES)}/${identifier()}.ts`,
    words(count: number): string {
      const text: string[] = []
      for (let index = 0; index < count; index++)
        text.push(random.next() < IDENTIFIER_SHARE ? identifier() : common())
      return text.join(' ')
    },
  }
}

export interface Random {
  next(): number
  int(low: number, high: number): number
  pick<T>(values: readonly T[]): T
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
