import { createTokenCounter } from '@palimpsest/tokens'
import { loadConfiguration } from '../engines/configuration.ts'
import { createViewHub } from '../page/view-hub.ts'
import { storePlace } from '../stores/find-store-place.ts'
import { answerCaching, answerCachingLine } from './answer-caching.ts'
import { UPSTREAM_KEY } from './check-upstream.ts'
import { type StoreState, watchStores } from './health/watch-stores.ts'
import { serviceModels } from './models/service-models.ts'
import { openGateway } from './open-gateway.ts'
import { SERVE_BLOCK, SERVE_DEFAULTS } from './serve-defaults.ts'
import { explainServeBlock, serveOptions } from './serve-options.ts'
import { createServiceEngine, type ServiceEngine, type ServiceEngineFlags } from './service-engine.ts'
import { servicePrincipal } from './service-principal.ts'
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
 * Serves until it is told to stop, and then ends what runs. Returns the exit code.
 *
 * @throws UsageError for what is wrong with the flags, the configuration or the store.
 */
export async function runServe(flags: ServeFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  const configuration = await loadConfiguration(flags.config, process.cwd()).catch(explainServeBlock)
  const options = serveOptions(configuration)
  const models = await serviceModels(options, environment.GEMINI_API_KEY)
  const caching = answerCaching(models.answer?.name, configuration.config)
  const common = { tokens: createTokenCounter(), clock: { now: Date.now } }
  const upstream = flags.upstream ?? options.upstream.baseUrl
  const place = storePlace(SERVE_BLOCK, configuration, flags.store)
  const principal = servicePrincipal(configuration, flags.engine)
  const store = await openServiceStore(place, principal)
  const { engine, service, stores } = await startWith(store).catch(async (error) => {
    await store.close()
    throw error
  })
  for (const warning of engine.warnings) logLine(`palimpsest: ${warning}`)
  logLine(answerCachingLine(caching))
  const { url, port } = service
  const facts = {
    url,
    port,
    engine: engine.name,
    model: models.answer?.name ?? 'offline',
    store: place?.name ?? null,
    stores,
    upstream: upstream ?? null,
  }
  process.stdout.write(flags.json ? `${JSON.stringify({ ...facts, pid: process.pid })}\n` : startLine(facts))
  logLine(`palimpsest: ${await stopSignal()}: finishing what is being answered`)
  await service.close()
  return 0

  async function startWith(store: ServiceStore): Promise<Started> {
    const { window, host, port, token = environment.PALIMPSEST_TOKEN || undefined } = flags
    const engineFlags = { ...flags, ...(place !== undefined && { place }) }
    const engine = await createServiceEngine({ configuration, flags: engineFlags, window, ...common })
    const sessions = { name: 'sessions', kind: store.kind, check: () => store.check() }
    const storeStates = watchStores({
      stores: [sessions, ...engine.stores],
      limit: SERVE_DEFAULTS.healthLimit,
      log: logLine,
    })
    const shared = { ...common, engine, models, hub: createViewHub(), log: logLine }
    const start = async () => {
      const gateway = await openGateway({
        ...{ ...shared, window, port, baseUrl: upstream, options: options.upstream, place, principal },
        ...{ apiKey: environment[UPSTREAM_KEY] || undefined, hasToken: token !== undefined },
      })
      return startService({
        ...{ ...shared, host, port, token, store, storeStates, durable: place !== undefined },
        limits: { timeLimit: flags.timeLimit * 1_000 },
        ...(caching?.profile && { prices: caching.profile }),
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
    return { engine, service, stores: await storeStates() }
  }
}

interface Started {
  readonly engine: ServiceEngine
  readonly service: Service
  readonly stores: readonly StoreState[]
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
  return `palimpsest is listening on ${url} (engine ${engine}, model ${model}, ${kept})\n${gateway}`
}

/** Such as "sqlite: ok", or what is wrong. */
function stateText(stores: readonly StoreState[]): string {
  const kinds = [...new Set(stores.map(({ kind }) => kind))].join(' and ')
  const broken = stores.filter(({ ok }) => !ok).map(({ name, code }) => `${name} ${code}`)
  return `${kinds}: ${broken.length === 0 ? 'ok' : broken.join(', ')}`
}

/** The first signal that asks the process to stop. A second one ends it at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`)
}
