import { errorText, InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { lcmStoreOpener } from '../stores/open-engine-store.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import type { Configuration } from './configuration.ts'

/** The name of the engine, and of its block in `config.yaml`. */
export const LCM = 'lcm'

/** Checks the options of the engine without making one. */
export async function checkLcmOptions({
  config,
  fileOf,
}: Pick<Configuration, 'config' | 'fileOf'>): Promise<void> {
  const { store: _, ...options } = config.engines[LCM] ?? {}
  const { lcmOptionsSchema } = await import('@palimpsest/lcm')
  try {
    parseOptions(lcmOptionsSchema(), options, LCM)
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError)) throw cause
    throw new UsageError(
      `${errorText(cause)} (in the block "${LCM}:" of ${fileOf(...cause.path.split('.'))})`,
      { cause },
    )
  }
}

/** The options of the engine with a store in the place of its name, which the engine opens and closes. */
export async function lcmOptions(
  options: Record<string, unknown>,
  place: StorePlace | undefined,
): Promise<Record<string, unknown>> {
  return place === undefined ? options : { ...options, store: await lcmStoreOpener(place) }
}

export function principalOf({ principal }: Readonly<Record<string, unknown>>): string {
  return typeof principal === 'string' ? principal : 'local'
}
