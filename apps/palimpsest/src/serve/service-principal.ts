import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { principalOf } from '../engines/lcm-options.ts'

/** The engine of the service when neither a flag nor the configuration names one. */
export const SERVE_ENGINE = DECISIONS

/** Whose sessions a service keeps: what `principal` in its engine's block says. `flag`: the engine that `--engine` names. */
export function servicePrincipal(
  { config, isNamed }: Pick<Configuration, 'config' | 'isNamed'>,
  flag: string | undefined,
): string {
  const engine = flag ?? (isNamed ? config.context.engine : SERVE_ENGINE)
  return principalOf(config.engines[engine] ?? {})
}
