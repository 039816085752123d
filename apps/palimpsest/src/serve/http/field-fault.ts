import type { z } from '@hono/zod-openapi'
import { ServiceFault } from './service-fault.ts'

type Issue = z.core.$ZodIssue

/** Characters of a path that a caller made up. */
const MAX_PATH = 100

/**
 * The fault of a request, by its first wrong field.
 *
 * @param target the part of the request: `json`, `query`.
 */
export function fieldFault(issues: readonly Issue[], target: string): ServiceFault {
  const [first] = issues
  const issue = first === undefined ? undefined : deepest(first)
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...(issue?.path ?? []), ...keys].map(String).join('.')
  const whole = target === 'json' ? 'body' : target
  const where = path === '' ? whole : path.slice(0, MAX_PATH).toWellFormed()
  return new ServiceFault(422, 'invalid-field', `${where}: ${plainMessage(issue?.message)}`, { path: where })
}

/** The innermost fault of a value that may have several shapes, when it has one of them. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.map(([first]) => first).find((other) => isInside(other))
  return inner === undefined ? issue : deepest({ ...inner, path: [...issue.path, ...inner.path] })
}

function isInside(issue: Issue | undefined): issue is Issue {
  return issue !== undefined && (issue.path.length > 0 || issue.code === 'unrecognized_keys')
}

/** "Invalid input: expected string, received number" without its first words: the path stands there already. */
function plainMessage(message = 'is wrong'): string {
  return message.replace(/^Invalid (?:input|option): /, '')
}
