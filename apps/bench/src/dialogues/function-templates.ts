/** A kind of function that a topic has: what it gives depends on three numbers, which the user settles one by one. */
export interface FunctionTemplate {
  /** Names of its arguments; all are whole numbers. */
  readonly parameters: string
  readonly gives: string
  readonly numbers: readonly [FunctionNumber, FunctionNumber, FunctionNumber]
  /** An expression for what it gives. */
  solution(numbers: Three): string
  /** Arguments with what must come out. Every number decides at least one of them, whatever the other two are. */
  cases(numbers: Three): readonly FunctionCase[]
}

/** One of the numbers: words for it, and the sentence that settles it. */
type FunctionNumber = readonly [about: string, says: string]

export type FunctionCase = { readonly input: readonly number[]; readonly output: number }

type Three = readonly [number, number, number]

/** As many as a dialogue has topics at most, and one more. Numbers are 101 to 4999. */
export const FUNCTION_TEMPLATES: readonly FunctionTemplate[] = [
  {
    parameters: 'attempt',
    gives: 'the milliseconds to wait before an attempt; the first attempt is 1',
    numbers: [
      ['first pause', 'The first pause of the {title} takes {value} ms.'],
      ['growth', 'Each further pause of the {title} has a growth of {value} ms over the one before.'],
      ['longest pause', 'The longest pause of the {title} takes {value} seconds, whatever the growth.'],
    ],
    solution: ([a, b, c]) => `Math.min(${a} + ${b} * (attempt - 1), ${c} * 1000)`,
    cases: ([a, b, c]) => [
      { input: [1], output: a },
      { input: [2], output: a + b },
      { input: [100_000], output: c * 1000 },
    ],
  },
  {
    parameters: 'cents',
    gives: 'the fee for an order of so many cents, in cents',
    numbers: [
      ['base fee', 'The base fee of the {title} is {value} cents.'],
      ['step fee', 'The step fee of the {title}, on top for each started 10,000 cents, is {value} cents.'],
      ['waiver', 'The {title} has a waiver: orders from {value} euros on are free.'],
    ],
    solution: ([a, b, c]) => `cents >= ${c} * 100 ? 0 : ${a} + ${b} * Math.ceil(cents / 10000)`,
    cases: ([a, b, c]) => [
      { input: [1], output: a + b },
      { input: [10_001], output: a + 2 * b },
      { input: [c * 100 - 1], output: a + b * Math.ceil((c * 100 - 1) / 10_000) },
      { input: [c * 100], output: 0 },
    ],
  },
  {
    parameters: 'kilobytes',
    gives: 'the milliseconds that an upload of so many kilobytes takes, or -1 when it is refused',
    numbers: [
      ['part size', 'The part size of the {title} is {value} kilobytes.'],
      ['part duration', 'Each started part of the {title} has a part duration of {value} ms.'],
      ['part limit', 'The part limit of the {title} is {value}: an upload with more is refused.'],
    ],
    solution: ([a, b, c]) => `Math.ceil(kilobytes / ${a}) > ${c} ? -1 : Math.ceil(kilobytes / ${a}) * ${b}`,
    cases: ([a, b, c]) => [
      { input: [a], output: b },
      { input: [a + 1], output: 2 * b },
      { input: [a * c], output: b * c },
      { input: [a * c + 1], output: -1 },
    ],
  },
  {
    parameters: 'hits, misses',
    gives: 'the points for so many hits and misses',
    numbers: [
      ['reward', 'The reward of the {title} is {value} points a hit.'],
      ['penalty', 'The penalty of the {title} is {value} points off a miss.'],
      ['hit limit', 'The hit limit of the {title} is {value}: hits beyond it earn nothing.'],
    ],
    solution: ([a, b, c]) => `Math.min(hits, ${c}) * ${a} - misses * ${b}`,
    cases: ([a, b, c]) => [
      { input: [1, 0], output: a },
      { input: [1, 1], output: a - b },
      { input: [c, 0], output: a * c },
      { input: [c + 1, 0], output: a * c },
    ],
  },
  {
    parameters: 'reading',
    gives:
      'the zone of a reading: 0 for the low one, 1 for the middle one, 2 for the high one; for a reading below zero a code',
    numbers: [
      ['lower bound', 'The middle zone of the {title} begins at a lower bound of {value}.'],
      [
        'zone width',
        'The middle zone of the {title} has a zone width of {value}; what lies behind it is high.',
      ],
      ['sensor code', 'A reading below zero makes the {title} give the sensor code {value}.'],
    ],
    solution: ([a, b, c]) => `reading < 0 ? ${c} : reading < ${a} ? 0 : reading < ${a} + ${b} ? 1 : 2`,
    cases: ([a, b, c]) => [
      { input: [-1], output: c },
      { input: [a - 1], output: 0 },
      { input: [a], output: 1 },
      { input: [a + b - 1], output: 1 },
      { input: [a + b], output: 2 },
    ],
  },
]
