import type { Arm } from '../arms/arm.ts'
import { createRandom } from '../workload/vocabulary.ts'
import {
  decimal,
  dollars,
  type Estimate,
  interval,
  left,
  percent,
  right,
  type Table,
  tableOf,
  whole,
} from './section.ts'

export type Figure = Estimate | number | null

/** A quantity that arms have: it gets an arm's plays, and tables and pages show it by its name. */
export interface Measure<Plays> {
  readonly name: string
  readonly definition: string
  /** Absent for what only puts another figure into another scale. */
  readonly better?: 'more' | 'less'
  of(plays: Plays): Figure
  /** Writes a plain number. Default: with three decimals. */
  readonly write?: (value: number) => string
}

type About = Pick<Measure<never>, 'name' | 'definition'> & { readonly unit?: string }
type Of = Readonly<Record<string, (plays: never) => Figure>>

const UNITS: Readonly<Record<string, (value: number) => string>> = {
  ...{ dollars, whole, percent },
  tenth: (value) => decimal(value, 1),
}

/** Measures with what `data/measures.json` says of them. */
export function named<const All extends Of>(
  about: Readonly<Record<keyof All, About>>,
  all: All,
): { readonly [Key in keyof All]: Measure<never> & { readonly of: All[Key] } } {
  const entries = Object.entries(all).map(([key, of]) => {
    const { unit, ...text } = about[key] as About
    return [key, { ...text, of, ...(unit !== undefined && { write: UNITS[unit] }) }]
  })
  return Object.fromEntries(entries)
}

export type Measures<Plays> = Readonly<Record<string, Measure<Plays>>>

export type FiguresOf<All extends Measures<never>> = {
  readonly [Key in keyof All]: ReturnType<All[Key]['of']>
}

export type ArmRow = { readonly arm: string; readonly kind: Arm['kind']; readonly budget: number }

export function measurePlays<Plays, All extends Measures<Plays>>(
  measures: All & Measures<Plays>,
  plays: Plays,
): FiguresOf<All> {
  const figures = Object.entries(measures).map(([key, { of }]) => [key, of(plays)])
  return Object.fromEntries(figures) as FiguresOf<All>
}

/** A mean over all values of an arm's plays, each of which is a dialogue. */
export const meanOver =
  <Play>(values: (play: Play) => Values) =>
  (plays: readonly Play[]): Estimate | null =>
    estimateMean(plays.map(values))

export const definitionsOf = (measures: Measures<never>): string[] =>
  Object.values(measures).map(({ name, definition }) => `${name}: ${definition}`)

/** A figure without its interval. */
export const plainValue = (figure: Figure): number | null =>
  typeof figure === 'number' ? figure : (figure?.mean ?? null)

/** Measures beside each other, a line for each arm and budget; n is in the head where it is the same for all. */
export function measureTable<Key extends string>(
  rows: readonly (ArmRow & Readonly<Record<NoInfer<Key>, Figure>>)[],
  measures: Readonly<Record<Key, Measure<never>>>,
): Table {
  return armTable(rows, measureColumns(rows, measures))
}

export function measureColumns<Key extends string, Row extends Readonly<Record<NoInfer<Key>, Figure>>>(
  rows: readonly Row[],
  measures: Readonly<Record<Key, Measure<never>>>,
): (readonly [name: string, cell: (row: Row) => string])[] {
  const entries = Object.entries(measures) as [Key, Measure<never>][]
  return entries.map(([key, { name, write = (value: number) => decimal(value, 3) }]) => {
    const counts = distinct(rows.flatMap((row) => countOf(row[key])))
    const isCommon = counts.length === 1
    const cell = (figure: Figure) => (typeof figure === 'number' ? write(figure) : interval(figure))
    return [
      isCommon ? withCount(name, counts) : name,
      (row) => (isCommon ? cell(row[key]) : withCount(cell(row[key]), countOf(row[key]))),
    ]
  })
}

const withCount = (text: string, [n]: readonly number[]): string =>
  n === undefined ? text : `${text}, n ${whole(n)}`

const countOf = (figure: Figure): number[] =>
  typeof figure === 'number' || figure === null ? [] : [figure.n]

export function armTable<Row extends ArmRow>(
  rows: readonly Row[],
  quantities: readonly (readonly [name: string, cell: (row: Row) => string])[],
): Table {
  return tableOf(rows, [
    left('arm', ({ arm }) => arm),
    right('budget', ({ budget }) => whole(budget)),
    ...quantities.map(([name, cell]) => right(name, cell)),
  ])
}

/** The budget in the middle: where there is room for one only. */
export function middleBudget(rows: readonly ArmRow[]): number {
  const budgets = distinct(rows.map(({ budget }) => budget)).sort((a, b) => a - b)
  return budgets[Math.floor(budgets.length / 2)] ?? 0
}

export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]

const RESAMPLES = 2000
const SEED = 1

/** The values of one quantity in a dialogue. What is true counts as one. */
export type Values = readonly (number | boolean)[]

/** The mean over all values. Dialogues are resampled whole, by the same seed for every arm: differences are paired. */
export function estimateMean(dialogues: readonly Values[]): Estimate | null {
  const sums = dialogues.map(sumOf)
  return resample(sums, (picks) => meanOf(picks, sums))
}

/** The difference of two arms' means over the same dialogues. */
export function estimateDifference(dialogues: readonly Values[], others: readonly Values[]): Estimate | null {
  const [sums, subtracted] = [dialogues.map(sumOf), others.map(sumOf)]
  return resample(sums, (picks) => meanOf(picks, sums) - meanOf(picks, subtracted))
}

type Sum = { readonly sum: number; readonly n: number }

const sumOf = (values: Values): Sum => ({
  sum: values.reduce<number>((sum, value) => sum + Number(value), 0),
  n: values.length,
})

function resample(sums: readonly Sum[], of: (picks: readonly number[]) => number): Estimate | null {
  const n = sums.reduce((total, each) => total + each.n, 0)
  if (n === 0) return null
  const random = createRandom(SEED)
  const all = [...sums.keys()]
  const means = Array.from({ length: RESAMPLES }, () => of(all.map(() => random.int(0, all.length - 1))))
    // A resample may hold only dialogues without a value.
    .filter((mean) => !Number.isNaN(mean))
    .sort((a, b) => a - b)
  const at = (share: number): number =>
    means[Math.min(means.length - 1, Math.floor(means.length * share))] ?? 0
  return { mean: of(all), low: at(0.025), high: at(0.975), n }
}

function meanOf(picks: readonly number[], sums: readonly Sum[]): number {
  let [total, n] = [0, 0]
  for (const pick of picks) {
    total += sums[pick]?.sum ?? 0
    n += sums[pick]?.n ?? 0
  }
  return total / n
}
