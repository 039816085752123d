const SECOND = 1000
const MINUTE = 60 * SECOND

/** Numbers from 0 to 1, the same every time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Pauses before each request but the first, in milliseconds. */
export interface PausePattern {
  readonly name: string
  pauses(requests: number, seed: number): readonly number[]
}

const machine = (random: () => number) => (5 + 40 * random()) * SECOND
const human = (random: () => number) => (5 + 55 * random()) * MINUTE

const mixed = (name: string, long: (random: () => number, index: number) => number | null): PausePattern => ({
  name,
  pauses(requests, seed) {
    const random = numbers(seed)
    for (let warm = 0; warm < 5; warm++) random()
    return Array.from({ length: requests - 1 }, (_, index) => long(random, index) ?? machine(random))
  },
})

const oneIn = (every: number): PausePattern =>
  mixed(`5–60 min, 1 in ${every}`, (random) => (random() * every < 1 ? human(random) : null))

/** Pauses of people and machines between requests. */
export const PAUSE_PATTERNS: readonly PausePattern[] = [
  mixed('machine-paced', () => null),
  mixed('4 min, each', () => 4 * MINUTE),
  mixed('6 min, each', () => 6 * MINUTE),
  mixed('one long pause, half-way', (random, index) => (index === 30 ? human(random) : null)),
  oneIn(100),
  oneIn(20),
  oneIn(5),
  oneIn(2),
  mixed('5–60 min, each', human),
  mixed('bursts of 20', (random, index) => (index % 20 === 19 ? human(random) : null)),
  mixed('short bursts, nights', (random, index) =>
    index % 15 === 14 ? (2 + 10 * random()) * 60 * MINUTE : null,
  ),
  mixed('short pauses, and lunch', (random, index) =>
    index % 50 === 30 ? (35 + 40 * random()) * MINUTE : random() < 0.03 ? (5 + 8 * random()) * MINUTE : null,
  ),
  mixed('short pauses, and nights', (random, index) =>
    index % 50 === 49 ? 15 * 60 * MINUTE : random() < 0.03 ? (5 + 8 * random()) * MINUTE : null,
  ),
  mixed('1 in 4, from seconds to 3 h', (random) => (random() < 0.25 ? 180 * MINUTE * random() ** 2 : null)),
  mixed('first people, then machines', (random, index) => (index < 10 ? human(random) : null)),
  mixed('first machines, then people', (random, index) =>
    index > 30 && random() < 0.3 ? human(random) : null,
  ),
]
