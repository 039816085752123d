import { compressor } from '@palimpsest/compressor'
import type { EngineDefinition } from '@palimpsest/core'
import { UsageError } from './usage-error.ts'

/** The engines that come with the command line. */
const BUILT_IN: Readonly<Record<string, EngineDefinition<never>>> = { compressor }

export const ENGINE_NAMES: readonly string[] = Object.keys(BUILT_IN)

/** The engine of that name. `source` says where the name was given, for the error. */
export function findEngine(name: string, source = '--engine'): EngineDefinition {
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name] as unknown as EngineDefinition
  throw new UsageError(`${source}: there is no engine "${name}"; there is: ${ENGINE_NAMES.join(', ')}`)
}
