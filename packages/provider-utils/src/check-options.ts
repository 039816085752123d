import { InvalidOptionError } from '@palimpsest/core'
import { LONGEST_TIMEOUT_MS } from './with-deadline.ts'

interface LimitOptions {
  readonly contextLength?: number | undefined
  readonly timeoutMs: number
}

/** Throws an error for an option. @throws InvalidOptionError */
export function refuseOption(path: string, message: string): never {
  throw new InvalidOptionError(path, message)
}

/** Checks for unknown keys. `prefix`: the path of nested options, with its dot. @throws InvalidOptionError */
export function checkKeys(options: object, known: readonly string[], prefix = ''): void {
  const wrong = Object.keys(options).find((key) => !known.includes(key))
  if (wrong !== undefined)
    refuseOption(
      prefix + wrong,
      `there is no option "${prefix}${wrong}"; the options are ${known.join(', ')}`,
    )
}

/** Checks that window and timeout are positive numbers. @throws InvalidOptionError */
export function checkLimits({ contextLength, timeoutMs }: LimitOptions): void {
  if (contextLength !== undefined && !isPositive(contextLength))
    refuseOption('contextLength', 'contextLength must be a positive number of tokens')
  if (!isPositive(timeoutMs) || timeoutMs > LONGEST_TIMEOUT_MS)
    refuseOption(
      'timeoutMs',
      `timeoutMs must be a number of milliseconds between 1 and ${LONGEST_TIMEOUT_MS}`,
    )
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
