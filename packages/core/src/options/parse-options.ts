import type * as z from 'zod'
import { InvalidOptionError } from '../errors/errors.ts'

const LETTERS_PER_MISTAKE = 4

const SHORTEST = 3

const MAX_CHARACTERS = 100

/**
 * The known name that was probably meant: one letter added, missing or changed, or two neighbours swapped, per four
 * letters. Case, `_`, `-` and spaces are ignored.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const given = letters(name)
  if (given.length < SHORTEST) return undefined
  const limit = Math.max(1, Math.floor(given.length / LETTERS_PER_MISTAKE))
  const distances = known.map((other) => ({ other, distance: distance(given, letters(other)) }))
  const [best] = distances.sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.other : undefined
}

function letters(name: string): string {
  return name
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .replace(/[\s_-]/g, '')
}

/** Optimal string alignment distance. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const [above = [], twoAbove = []] = [rows[i - 1], rows[i - 2]]
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/**
 * Validates a value against a schema and returns the parsed value. The error names the path of the first fault below
 * `path` and the fix; further faults follow, one per line. An unknown key is reported with the known ones.
 *
 * @throws InvalidOptionError
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const faults = result.error.issues.flatMap((issue) => describeIssue(issue, schema, path))
  const [first] = faults
  throw new InvalidOptionError(
    first?.path ?? path,
    faults.map(({ path: at, text }) => (at === '' ? text : `${at}: ${text}`)).join('\n'),
  )
}

function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  base: string,
): { path: string; text: string }[] {
  const path = joinPath(base, issue.path)
  if (issue.code === 'invalid_value') return [{ path, text: describeChoice(issue) }]
  if (issue.code !== 'unrecognized_keys') return [{ path, text: plainMessage(issue.message) }]
  const known = schemaKeys(schema, issue.path)
  return issue.keys.map((key) => ({ path: joinPath(path, [key]), text: describeUnknownKey(key, known) }))
}

function joinPath(base: string, keys: readonly PropertyKey[]): string {
  return [base, ...keys.map(String)].filter((part) => part !== '').join('.')
}

const BOUNDS = { '<': 'below', '>': 'above', '<=': 'of at most', '>=': 'of at least' } as const

function plainMessage(message: string): string {
  const text = message
    .replace(/^(?:Invalid (?:input|option)|Too (?:big|small)): /, '')
    .replace(/ to be ([<>]=?)(?=\S)/, (_, sign: '<' | '>' | '<=' | '>=') => ` ${BOUNDS[sign]} `)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function describeChoice({ message, values, input }: z.core.$ZodIssueInvalidValue): string {
  const expected = plainMessage(message).replaceAll('|', ', ')
  if (typeof input !== 'string' || input === '' || input.length > MAX_CHARACTERS) return expected
  const meant = closestName(input, values.map(String))
  return `${expected}, and is ${JSON.stringify(input)}${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`
}

type Definition = {
  readonly innerType?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}

export function schemaKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let shape = objectShape(schema)
  for (const key of path) {
    const member = shape !== undefined && Object.hasOwn(shape, key) ? shape[String(key)] : undefined
    shape = member === undefined ? undefined : objectShape(member)
  }
  return Object.keys(shape ?? {})
}

function objectShape(schema: z.core.$ZodType): Definition['shape'] {
  let definition = schema._zod.def as Definition
  while (definition.innerType !== undefined) definition = definition.innerType._zod.def as Definition
  return definition.shape
}

export function describeUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'this key is not known here'
  const meant = closestName(key, known)
  const question = meant === undefined ? '' : ` (did you mean "${meant}"?)`
  return `this key is not known here${question}; known keys: ${known.join(', ')}`
}
