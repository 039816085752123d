import { InvalidOptionError } from '@palimpsest/core'
import type { AppendInput, CommitInput, LeaseRequest } from './lcm-session.ts'

/** The last moment that a `Date` can hold, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= LAST_TIME
}

/**
 * Refuses the time of a broken clock, before a store writes a value that it cannot read again.
 *
 * @param path The field, such as `messages[3].at`.
 * @throws InvalidOptionError
 */
export function checkTime(path: string, value: unknown): void {
  if (!isTime(value))
    throw new InvalidOptionError(
      path,
      `${path}: expected milliseconds since the epoch, but got ${String(value)}; check the clock`,
    )
}

/** The same for a broken counter, whose counts may have a fraction. @throws InvalidOptionError */
export function checkTokens(path: string, value: unknown): void {
  if (!(typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER))
    throw new InvalidOptionError(
      path,
      `${path}: expected a count of tokens, but got ${String(value)}; check the token counter`,
    )
}

/** The times and counts of an append. @throws InvalidOptionError */
export function checkAppend({ at, messages }: AppendInput): void {
  checkTime('at', at)
  for (const [index, message] of messages.entries()) {
    if (message.at !== undefined) checkTime(`messages[${index}].at`, message.at)
    checkTokens(`messages[${index}].tokens`, message.tokens)
  }
}

/** The times and counts of a commit. @throws InvalidOptionError */
export function checkCommit({ at, create }: CommitInput): void {
  checkTime('at', at)
  for (const [index, node] of create.entries()) {
    for (const field of ['at', 'from', 'to'] as const) checkTime(`create[${index}].${field}`, node[field])
    for (const field of ['tokens', 'sourceTokens'] as const)
      checkTokens(`create[${index}].${field}`, node[field])
  }
}

/** The times of a lease. @throws InvalidOptionError */
export function checkLeaseRequest({ now, ttl }: LeaseRequest): void {
  checkTime('now', now)
  if (!isTime(now + ttl))
    throw new InvalidOptionError(
      'ttl',
      `ttl: expected milliseconds, but got ${String(ttl)}; check the lease's length`,
    )
}

/** Refuses an id that no session may be made under. @throws InvalidOptionError `key` */
export function checkKey(key: string): void {
  if (typeof key === 'string' && key !== '') return
  throw new InvalidOptionError(
    'key',
    'the id of a session must be a text that is not empty, such as "talk-1"',
  )
}
