import { InvalidOptionError } from '@palimpsest/core'
import { LONGEST_TIMEOUT_MS } from './with-deadline.ts'

/** The limits that every model of a provider takes. */
interface LimitOptions {
  /** The model's window, in tokens. */
  readonly contextLength?: number | undefined
  /** Milliseconds until a call fails. */
  readonly timeoutMs: number
}

/** @throws InvalidOptionError */
export function refuseOption(path: string, message: string): never {
  throw new InvalidOptionError(path, message)
}

/** @throws InvalidOptionError for a key that is not known. `prefix`: the path of nested options, with its dot. */
export function checkKeys(options: object, known: readonly string[], prefix = ''): void {
  const wrong = Object.keys(options).find((key) => !known.includes(key))
  if (wrong !== undefined)
    refuseOption(
      prefix + wrong,
      `there is no option "${prefix}${wrong}"; the options are ${known.join(', ')}`,
    )
}

/** @throws InvalidOptionError for a window or a timeout that is not a positive number. */
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
