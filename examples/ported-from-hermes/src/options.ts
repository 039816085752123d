import { InvalidOptionError } from '@palimpsest/core'

/** Under the names that they have in Hermes Agent. */
export interface KeepEndsOptions {
  /** Messages that stay behind the system prompt. Default 3. */
  readonly protect_first_n?: number
  /** Messages that stay at the end, at least. Default 6. */
  readonly protect_last_n?: number
  /** Share of the window, without what is reserved for the answer, at which compaction begins. Default 0.75. */
  readonly threshold?: number
}

const DEFAULTS: Required<KeepEndsOptions> = { protect_first_n: 3, protect_last_n: 6, threshold: 0.75 }

/** @throws InvalidOptionError that names the option. */
export function readOptions(options: KeepEndsOptions): Required<KeepEndsOptions> {
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(DEFAULTS, key))
  if (unknown !== undefined)
    throw new InvalidOptionError(
      unknown,
      `keep-ends has no option "${unknown}"; it has: ${Object.keys(DEFAULTS).join(', ')}`,
    )
  const read = { ...DEFAULTS, ...options }
  for (const key of ['protect_first_n', 'protect_last_n'] as const)
    if (!Number.isInteger(read[key]) || read[key] < 0)
      throw new InvalidOptionError(key, `${key} must be a whole number, and is ${String(read[key])}`)
  if (!(read.threshold > 0 && read.threshold <= 1))
    throw new InvalidOptionError(
      'threshold',
      `threshold must be above 0 and at most 1, and is ${String(read.threshold)}`,
    )
  return read
}
