import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { principalOf } from '../engines/lcm-options.ts'

/** The name of the service's engine: decisions, whose memory its routes show, when neither a flag nor the configuration names one. */
export function serveEngine(
  { config, isNamed }: Pick<Configuration, 'config' | 'isNamed'>,
  flag: string | undefined,
): string {
  return flag ?? (isNamed ? config.context.engine : DECISIONS)
}

/** Whose sessions a service keeps: what `principal` in its engine's block says. `flag`: the engine that `--engine` names. */
export function servicePrincipal(
  configuration: Pick<Configuration, 'config' | 'isNamed'>,
  flag: string | undefined,
): string {
  return principalOf(configuration.config.engines[serveEngine(configuration, flag)] ?? {})
}
