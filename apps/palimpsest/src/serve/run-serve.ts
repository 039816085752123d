import { setFlagsFromString } from 'node:v8'
import type { Config } from '@palimpsest/core/discovery'
import { createInspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { engineOrigin } from '../engines/engine-origin.ts'
import { principalOf } from '../engines/lcm-options.ts'
import type { SummaryModel } from '../models/find-summary-model.ts'
import { createPromptCache, NO_MODEL_CACHING } from '../prompt-cache.ts'
import { stopSignal } from '../stop-signal.ts'
import { storePlace } from '../stores/find-store-place.ts'
import { gatewayCachingLine, gatewaySummaries, UPSTREAM_KEY } from './gateway/gateway-summaries.ts'
import { openGateway } from './gateway/open-gateway.ts'
import type { StoreState } from './health/watch-stores.ts'
import { assertUsable, checkToken } from './http/listen.ts'
import { createMetrics } from './metrics/create-metrics.ts'
import { serviceModels } from './models/service-models.ts'
import { SERVE_BLOCK } from './serve-defaults.ts'
import { explainServeBlock, serveOptions } from './serve-options.ts'
import { createServiceEngine, type ServiceEngine, type ServiceEngineFlags } from './service-engine.ts'
import { type Service, startService } from './start-service.ts'
import { openServiceStore } from './store/open-service-store.ts'
import type { ServiceStore } from './store/service-store.ts'

export interface ServeFlags extends Omit<ServiceEngineFlags, 'place'> {
  /** A file, or the address of a database. */
  readonly store?: string
  readonly port: number
  readonly host: string
  readonly window: number
  /** Seconds. */
  readonly timeLimit: number
  readonly token?: string
  /** Where the gateway forwards to. */
  readonly upstream?: string
  readonly config?: string
  readonly json?: boolean
}

/**
 * Percent of what is alive by which the heap grows before it is collected. Of its own accord V8 lets it grow to several
 * times that: what conversations leave behind would fill hundreds of megabytes first.
 */
const HEAP_GROWTH = 50
/**
 * The part of the heap for new objects stays at 32 MB, half of it empty, which it has by the end of the start. Of its own
 * accord V8 doubles it: what requests leave behind would fill it first, and collecting it would hold up all of them.
 */
const YOUNG_GROWTH_FACTOR = 1

/**
 * Serves until it is told to stop, and then ends what runs. Returns the exit code.
 *
 * @throws UsageError for what is wrong with the flags, the configuration or the store.
 */
export async function runServe(flags: ServeFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`)
  setFlagsFromString(`--semi-space-growth-factor=${YOUNG_GROWTH_FACTOR}`)
  const { service, title, notes, facts } = await serveFlags(flags, environment, logLine)
  for (const line of notes) logLine(line)
  process.stdout.write(
    flags.json
      ? `${JSON.stringify({ ...facts, pid: process.pid })}\n`
      : startLine({ ...facts, engine: title }),
  )
  logLine(`palimpsest: ${await stopSignal()}: finishing what is being answered`)
  await service.close()
  return 0
}

/** A service that was started by flags. */
export interface FlaggedService {
  readonly service: Service
  /** Said at the start, one line each. */
  readonly notes: readonly string[]
  readonly facts: StartFacts & { readonly port: number }
  /** Of the engine. */
  readonly title: string
}

/**
 * Starts the service.
 *
 * @throws UsageError for what is wrong with the flags, the configuration or the store.
 */
export async function serveFlags(
  flags: ServeFlags,
  environment: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<FlaggedService> {
  const configuration = await loadConfiguration(flags.config, process.cwd()).catch(explainServeBlock)
  const options = serveOptions(configuration)
  const block = configuration.config.auxiliary.compression
  const found = await serviceModels({ options, block, window: flags.window, environment })
  const { models, main } = found
  const common = { tokens: createTokenCounter(), clock: { now: Date.now } }
  const settings = configuration.config.prompt_caching
  const promptCache = createPromptCache({ caching: found.caching, settings, ...common })
  const upstream = flags.upstream ?? options.upstream.base_url
  const upstreamKey = environment[UPSTREAM_KEY] || undefined
  const at = { baseUrl: upstream, apiKey: upstreamKey }
  const summaries = await gatewaySummaries({ block, environment, own: main, upstream: at })
  const place = storePlace(SERVE_BLOCK, configuration, flags.store)
  const principal = servicePrincipal(configuration, flags.engine)
  const token = flags.token ?? (environment.PALIMPSEST_TOKEN || undefined)
  checkToken(token, flags.host)
  await assertUsable(flags.port, flags.host)
  const store = await openServiceStore(place, principal)
  const { engine, service, stores } = await startWith(store).catch(async (error) => {
    await store.close()
    throw error
  })
  const origin = engineOrigin(engine.name, configuration, flags.engine, 'the default of serve')
  const writers = [found.summaries, summaries]
  const { config } = configuration
  const notes = noteLines({ engine, origin, writers, caching: main && promptCache.line, upstream, config })
  const { url, port } = service
  const model = models.answer?.name ?? 'offline'
  const { name, title } = engine
  const facts = {
    url,
    port,
    engine: name,
    model,
    store: place?.name ?? null,
    stores,
    upstream: upstream ?? null,
  }
  return { service, notes, facts, title }

  async function startWith(store: ServiceStore): Promise<Started> {
    const { window, host, port } = flags
    const name = configuration.isNamed ? flags.engine : serveEngine(configuration, flags.engine)
    const engineFlags = { ...flags, ...(name && { engine: name }), ...(place !== undefined && { place }) }
    const engine = await createServiceEngine({ configuration, flags: engineFlags, window, ...common })
    const metrics = createMetrics()
    const shared = { ...common, engine, models, inspector: metrics.count(createInspector(common)), log }
    const start = async () => {
      const { gateway, stores } = await openGateway({
        ...{ ...shared, window, port, baseUrl: upstream, options: options.upstream, place, principal },
        ...{ summaries, apiKey: upstreamKey, hasToken: token !== undefined },
        promptCaching: settings,
        upload: flags.timeLimit * 1_000,
      })
      return startService({
        ...{ ...shared, metrics, host, port, token, store, gatewayStores: stores },
        ...{ window, durable: place !== undefined },
        limits: { timeLimit: flags.timeLimit * 1_000 },
        promptCache,
        ...(gateway !== undefined && { gateway }),
      }).catch(async (error) => {
        await gateway?.close(0)
        throw error
      })
    }
    const service = await start().catch(async (error) => {
      await engine.close()
      throw error
    })
    return { engine, service, stores: await service.storeStates() }
  }
}

interface Started {
  readonly engine: ServiceEngine
  readonly service: Service
  readonly stores: readonly StoreState[]
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The name of the service's engine: decisions, whose memory its routes show, when neither a flag nor the configuration names one. */
function serveEngine(
  { config, isNamed }: Pick<Configuration, 'config' | 'isNamed'>,
  flag: string | undefined,
): string {
  return flag ?? (isNamed ? config.context.engine : DECISIONS)
}

/** `principal` of the engine's block. `flag`: the engine that `--engine` names. */
export function servicePrincipal(
  configuration: Pick<Configuration, 'config' | 'isNamed'>,
  flag?: string,
): string {
  return principalOf(configuration.config.engines[serveEngine(configuration, flag)] ?? {})
}

interface StartNotes {
  readonly engine: Pick<ServiceEngine, 'title' | 'warnings'>
  readonly origin: string
  /** Of summaries: in the service's own conversations, and in those of the gateway. */
  readonly writers: readonly (Pick<SummaryModel, 'line' | 'notices'> | undefined)[]
  /** The line about the model that answers; undefined without one. */
  readonly caching: string | undefined
  readonly upstream: string | undefined
  readonly config: Pick<Config, 'prompt_caching'>
}

function noteLines({ engine, origin, writers, caching, upstream, config }: StartNotes): string[] {
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

interface StartFacts {
  readonly url: string
  readonly engine: string
  readonly model: string
  readonly store: string | null
  readonly stores: readonly StoreState[]
  readonly upstream: string | null
}

function startLine({ url, engine, model, store, stores, upstream }: StartFacts): string {
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
