import { InvalidEngineError } from '../errors/errors.ts'
import { parseOptions, type z } from '../options.ts'
import { errorLine } from './one-line.ts'

/** The version of the contract that this package speaks. */
export const API_VERSION = 1

/** The facts that a plugin states about its engine without being imported. */
export interface EngineManifest {
  readonly name: string
  readonly version?: string | undefined
  readonly description?: string | undefined
  readonly apiVersion: number
  /** The module with the default export, relative to the plugin's folder. */
  readonly entry?: string | undefined
}

/**
 * Checks what was read from a manifest.
 *
 * @param file what the error calls it.
 * @throws InvalidEngineError that names the first key that is wrong.
 */
export function parseManifest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  file: string,
  path = '',
): z.output<Schema> {
  try {
    return parseOptions(schema, value, path)
  } catch (error) {
    throw new InvalidEngineError(`${file}: ${errorLine(error)}`, { cause: error })
  }
}

/** @throws InvalidEngineError for any other version of the contract. */
export function assertApiVersion(apiVersion: unknown): void {
  if (apiVersion === API_VERSION) return
  throw new InvalidEngineError(
    `it has apiVersion ${String(apiVersion)}, and this host speaks apiVersion ${API_VERSION}; install a version of it that fits`,
  )
}
