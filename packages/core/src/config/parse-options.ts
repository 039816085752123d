import type * as z from 'zod'
import { InvalidOptionError } from '../errors/invalid-option-error.ts'

/**
 * Checks a value against a schema and returns what the schema makes of it. The error names the path of the
 * first fault below `path` and what would be right; further faults follow in its text.
 *
 * @throws InvalidOptionError
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.flatMap((issue) => describeIssue(issue, path))
  const [first] = faults
  throw new InvalidOptionError(
    first?.path ?? path,
    faults.map(({ path: at, text }) => `${at}: ${text}`).join('\n'),
  )
}

function describeIssue(issue: z.core.$ZodIssue, base: string): { path: string; text: string }[] {
  const path = joinPath(base, issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ path, text: lowerFirst(issue.message) }]
  return issue.keys.map((key) => ({
    path: joinPath(path, [key]),
    text: 'this key is not known here; check its spelling',
  }))
}

function joinPath(base: string, keys: readonly PropertyKey[]): string {
  return [base, ...keys.map(String)].filter((part) => part !== '').join('.')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
