import type { Config } from '@palimpsest/discovery'
import type { SummaryModel } from '../models/find-summary-model.ts'
import { NO_MODEL_CACHING } from '../prompt-cache.ts'
import { gatewayCachingLine } from './gateway/caching-line.ts'
import type { StoreState } from './health/watch-stores.ts'
import type { ServiceEngine } from './service-engine.ts'

export interface StartNotes {
  readonly engine: Pick<ServiceEngine, 'title' | 'warnings'>
  readonly origin: string
  /** Of summaries: in the service's own conversations, and in those of the gateway. */
  readonly writers: readonly (Pick<SummaryModel, 'line' | 'notices'> | undefined)[]
  /** The line about the model that answers; undefined without one. */
  readonly caching: string | undefined
  readonly upstream: string | undefined
  readonly config: Pick<Config, 'prompt_caching'>
}

export function noteLines({ engine, origin, writers, caching, upstream, config }: StartNotes): string[] {
  const written = writers.filter((one) => one !== undefined)
  // Both find the same key missing.
  const notices = new Set([...written.flatMap(({ notices }) => notices), ...engine.warnings])
  return [
    `palimpsest: engine ${engine.title}${origin}`,
    ...[...notices].map((notice) => `palimpsest: ${notice}`),
    ...written.map(({ line }) => line),
    // A gateway has something to cache, even without a model of its own.
    ...(caching !== undefined || upstream === undefined ? [caching ?? NO_MODEL_CACHING] : []),
    ...(upstream === undefined ? [] : [gatewayCachingLine(upstream, config)]),
  ]
}

export interface StartFacts {
  readonly url: string
  readonly engine: string
  readonly model: string
  readonly store: string | null
  readonly stores: readonly StoreState[]
  readonly upstream: string | null
}

export function startLine({ url, engine, model, store, stores, upstream }: StartFacts): string {
  const kept =
    store === null
      ? 'sessions in memory, gone with the process (--store keeps them)'
      : `store ${store}, ${stateText(stores)}`
  const gateway = upstream === null ? '' : `the gateway is ${url}/v1, in front of ${upstream}\n`
  const answers =
    upstream === null ? `model ${model}` : `/query: answered ${model === 'offline' ? model : `by ${model}`}`
  return `palimpsest is listening on ${url} (engine ${engine}, ${answers}, ${kept})\n${gateway}`
}

/** Such as "sqlite: ok", or what is wrong. */
function stateText(stores: readonly StoreState[]): string {
  const kinds = [...new Set(stores.map(({ kind }) => kind))].join(' and ')
  const broken = stores.filter(({ ok }) => !ok).map(({ name, code }) => `${name} ${code}`)
  return `${kinds}: ${broken.length === 0 ? 'ok' : broken.join(', ')}`
}
