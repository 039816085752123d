import data from '../../data/dialogues.json' with { type: 'json' }

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

/** Texts of the data; JSON has no tuples. */
const WORDS = data.functions as unknown as Readonly<
  Record<keyof typeof data.functions, Pick<FunctionTemplate, 'parameters' | 'gives' | 'numbers'>>
>

/** As many as a dialogue has topics at most, and one more. Numbers are 101 to 4999. */
export const FUNCTION_TEMPLATES: readonly FunctionTemplate[] = [
  {
    ...WORDS.pause,
    solution: ([a, b, c]) => `Math.min(${a} + ${b} * (attempt - 1), ${c} * 1000)`,
    cases: ([a, b, c]) => [
      { input: [1], output: a },
      { input: [2], output: a + b },
      { input: [100_000], output: c * 1000 },
    ],
  },
  {
    ...WORDS.fee,
    solution: ([a, b, c]) => `cents >= ${c} * 100 ? 0 : ${a} + ${b} * Math.ceil(cents / 10000)`,
    cases: ([a, b, c]) => [
      { input: [1], output: a + b },
      { input: [10_001], output: a + 2 * b },
      { input: [c * 100 - 1], output: a + b * Math.ceil((c * 100 - 1) / 10_000) },
      { input: [c * 100], output: 0 },
    ],
  },
  {
    ...WORDS.upload,
    solution: ([a, b, c]) => `Math.ceil(kilobytes / ${a}) > ${c} ? -1 : Math.ceil(kilobytes / ${a}) * ${b}`,
    cases: ([a, b, c]) => [
      { input: [a], output: b },
      { input: [a + 1], output: 2 * b },
      { input: [a * c], output: b * c },
      { input: [a * c + 1], output: -1 },
    ],
  },
  {
    ...WORDS.points,
    solution: ([a, b, c]) => `Math.min(hits, ${c}) * ${a} - misses * ${b}`,
    cases: ([a, b, c]) => [
      { input: [1, 0], output: a },
      { input: [1, 1], output: a - b },
      { input: [c, 0], output: a * c },
      { input: [c + 1, 0], output: a * c },
    ],
  },
  {
    ...WORDS.zone,
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
