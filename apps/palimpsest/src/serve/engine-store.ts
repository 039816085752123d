import type { Configuration } from '../engines/configuration.ts'
import { LCM } from '../engines/lcm-options.ts'
import { namedPlace } from '../stores/find-store-place.ts'
import { besidePlace, isSamePlace, type StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { isCompaction } from './share-stores.ts'

/** Where the engine of a service keeps its store. */
interface EngineStore {
  /** Undefined: in memory. */
  readonly place?: StorePlace
  readonly notes: readonly string[]
}

/**
 * The place that the engine's own block of the configuration names, else a place beside the service's store. A service that
 * keeps its sessions in memory keeps the engine's there too: a store that outlives them would be told with every first
 * message that nothing of it was ever said.
 *
 * @param service the service's store; undefined when it is in memory.
 */
export function engineStore(
  engine: string,
  configuration: Pick<Configuration, 'config' | 'fileOf'>,
  service: StorePlace | undefined,
): EngineStore {
  const named = namedPlace(engine, configuration)
  const option = `${engine}.store of ${configuration.fileOf(engine, 'store')}`
  if (service === undefined) {
    const note = `${option} is not used, because sessions are kept in memory: name a store for them with --store or serve.store`
    return { notes: named === undefined ? [] : [note] }
  }
  if (named === undefined) return { place: besidePlace(service, `.${engine}`), notes: [] }
  if (named.kind === 'file' && isSamePlace(named, service))
    throw new UsageError(`${option} is the file of the service itself (${service.name}); name another one`)
  const isSplit = service.kind === 'postgres' && named.kind === 'file'
  const split = isSplit ? ', which services on other machines do not have: remove the option to share it' : ''
  return { place: named, notes: [`the engine's store is ${named.name} (${option})${split}`] }
}

/** Engines that may compact inside of another one. */
const COMPACTIONS = ['lcm', 'compressor'] as const

/** The configuration with a share of the window at which those engines compact that another one has inside. */
export function withInnerThreshold(configuration: Configuration, threshold: number): Configuration {
  const { engines } = configuration.config
  const inner = COMPACTIONS.map((name) => [name, { ...engines[name], threshold }])
  const config = { ...configuration.config, engines: { ...engines, ...Object.fromEntries(inner) } }
  return { ...configuration, config }
}

/** The engine's options, where the tools of the lossless engine show nothing that an edit of the history replaced. */
export function hidingReplaced(name: string, options: Record<string, unknown>): Record<string, unknown> {
  const { compaction } = options
  if (name === LCM) return { ...options, hide_replaced: true }
  if (!isCompaction(compaction)) return options
  const inner = hidingReplaced(compaction.engine.name, compaction.options ?? {})
  return { ...options, compaction: { ...compaction, options: inner } }
}
