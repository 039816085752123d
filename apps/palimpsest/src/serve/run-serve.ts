import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { createInspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { type EngineFlags, engineOrigin } from '../engines/choose-engine.ts'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { createPromptCache, NO_MODEL_CACHING } from '../prompt-cache.ts'
import { stopSignal } from '../stop-signal.ts'
import { storePlace, storePlaceOrOwn } from '../stores/find-store-place.ts'
import { openStore } from '../stores/open-store.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { createMetrics } from './create-metrics.ts'
import { type GatewaySummaries, gatewaySummaries, openGateway, UPSTREAM_KEY } from './gateway/open-gateway.ts'
import { checkToken } from './http/listen.ts'
import { serviceModels } from './models/service-models.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import { serveOptions } from './serve-options.ts'
import { createServiceEngine, type ServiceEngine } from './service-engine.ts'
import { createServiceStore } from './service-store.ts'
import { startService } from './start-service.ts'
import { locksOf } from './store-locks.ts'
import type { StoreState } from './watch-store.ts'

export interface ServeFlags extends EngineFlags {
  /** `false` stores nothing, even if the configuration names a store. */
  readonly store?: string | false
  readonly port: number
  readonly host: string
  readonly window?: number
  readonly timeLimit: number
  readonly upstream?: string
  readonly config?: string
  readonly json?: boolean
}

/** V8's default would let garbage of conversations grow to hundreds of megabytes. In percent. */
const HEAP_GROWTH = 50
/** Fixes the young generation at 32 MB: V8 would double it, and collecting it would delay all requests. */
const YOUNG_GROWTH_FACTOR = 1

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

export async function serveFlags(
  flags: ServeFlags,
  environment: NodeJS.ProcessEnv,
  log: (line: string) => void,
  /** The file of the user's folder that keeps sessions where no store is named. Default: memory. */
  ownFile?: string,
) {
  const { window = SERVE_DEFAULTS.window, host, port } = flags
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const { config } = configuration
  const options = serveOptions(configuration)
  // A folder that is not the user's must not send a run's key elsewhere.
  if (ownFile !== undefined) options.upstream.formats = {}
  const { compression: block, extraction } = config.auxiliary
  const { models, main, caching, summaries, namedReader } = await serviceModels({
    options,
    block,
    extraction,
    window,
    environment,
  })
  const common = { tokens: createTokenCounter(), clock: { now: Date.now } }
  const settings = config.prompt_caching
  const promptCache = createPromptCache({ caching, settings, ...common })
  const upstream = flags.upstream ?? options.upstream.base_url
  const apiKey = environment[UPSTREAM_KEY] || undefined
  const gatewayWriter =
    upstream === undefined
      ? undefined
      : await gatewaySummaries({ block, environment, own: main, upstream: { baseUrl: upstream, apiKey } })
  const place = sessionsPlace(configuration, flags.store, ownFile)
  const token = environment.PALIMPSEST_TOKEN || undefined
  checkToken(token, host)

  const opened: { close(): Promise<void> }[] = []
  try {
    const store = await openStore(place)
    opened.push(store)
    const name = configuration.isNamed ? flags.engine : serveEngine(configuration, flags.engine)
    const engineFlags = { ...flags, ...(name && { engine: name }) }
    const engine = await createServiceEngine({ configuration, flags: engineFlags, store, window, ...common })
    const kept = createServiceStore({ store, principal: config.store.principal, clock: common.clock })
    const metrics = createMetrics()
    const inspector = metrics.count(createInspector(common))
    const readers = namedReader === undefined ? {} : { extraction: namedReader.model }
    const gateway =
      upstream === undefined || gatewayWriter === undefined
        ? undefined
        : openGateway({
            ...{ ...common, baseUrl: upstream, options: options.upstream, apiKey, port, engine },
            ...{ store: kept, locks: locksOf(kept) },
            ...{ readers, summaries: gatewayWriter, inspector, promptCaching: settings, window, log },
            ...(flags.window !== undefined && { maxWindow: flags.window }),
            ...{
              hasToken: token !== undefined,
              oneUser: ownFile !== undefined,
              limits: { upload: flags.timeLimit * 1_000 },
            },
          })
    if (gateway !== undefined) opened.push({ close: () => gateway.close(0) })
    const service = await startService({
      ...{ ...common, host, port, token, engine, models, promptCache, inspector, metrics, window, log },
      store: kept,
      limits: { timeLimit: flags.timeLimit * 1_000 },
      ...(gateway !== undefined && { gateway }),
    })
    const origin = engineOrigin(engine.name, configuration, flags.engine, 'the default of serve')
    const writers = [summaries, gatewayWriter].filter((one) => one !== undefined)
    // Both may report the same missing key.
    const notices = new Set([...writers.flatMap(({ notices }) => notices), ...engine.warnings])
    const ownLines = [
      summaries.line,
      ...decisionLines(engine, 'Decisions', namedReader ?? models.extraction ?? summaries.model),
    ]
    const gatewayLines =
      gatewayWriter === undefined ? [] : describeGateway(engine, gatewayWriter, namedReader, configuration)
    const cachingLine = main === undefined ? NO_MODEL_CACHING : promptCache.line
    return {
      service,
      notes: [
        `palimpsest: engine ${engine.title}${origin}`,
        ...[...notices].map((notice) => `palimpsest: ${notice}`),
        ...ownLines,
        ...gatewayLines,
        // A gateway has something to cache, even without a model of its own.
        ...(main === undefined && upstream !== undefined ? [] : [cachingLine]),
      ],
      facts: {
        ...{ url: service.url, port: service.port, engine: engine.name },
        model: models.answer?.name ?? 'offline',
        ...{ store: place?.name ?? null, storeState: await service.storeState(), upstream: upstream ?? null },
      },
      title: engine.title,
      gatewayNotes: [...(gatewayWriter?.notices ?? []), ...engine.warnings, ...gatewayLines],
    }
  } catch (error) {
    for (const part of opened.reverse()) await part.close()
    throw error
  }
}

function sessionsPlace(
  configuration: Configuration,
  flag: string | false | undefined,
  own: string | undefined,
): StorePlace | undefined {
  if (flag === false) return undefined
  return own === undefined
    ? storePlace(configuration, flag)
    : storePlaceOrOwn(configuration, flag, join(configuration.home, own))
}

interface NamedModel {
  readonly name: string
}

function decisionLines(
  { readsDecisions }: Pick<ServiceEngine, 'readsDecisions'>,
  begin: string,
  reader: NamedModel | undefined,
): string[] {
  if (!readsDecisions) return []
  const how =
    reader === undefined
      ? 'no model reads them; only what the agent records is kept'
      : `read by ${reader.name}`
  return [`${begin}: ${how}`]
}

/** Who writes summaries and reads decisions in the gateway, and where no model does, how to have one. */
function describeGateway(
  engine: Pick<ServiceEngine, 'readsDecisions'>,
  { line, writer, notices }: GatewaySummaries,
  extraction: NamedModel | undefined,
  { home }: Pick<Configuration, 'home'>,
): string[] {
  const reader = extraction ?? (writer === undefined ? undefined : { name: writer })
  const work = engine.readsDecisions ? 'write summaries and read decisions' : 'write summaries'
  const advice = `To have a model ${work}, name it in ${join(home, 'config.yaml')}, such as "auxiliary: { compression: { provider: gemini } }", and set its key, such as GEMINI_API_KEY`
  const lines = [line, ...decisionLines(engine, 'Decisions in the gateway', reader)]
  return writer === undefined && notices.length === 0 ? [...lines, advice] : lines
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`)
}

function serveEngine(
  { config, isNamed }: Pick<Configuration, 'config' | 'isNamed'>,
  flag: string | undefined,
): string {
  return flag ?? (isNamed ? config.context.engine : DECISIONS)
}

interface StartFacts {
  readonly url: string
  readonly engine: string
  readonly model: string
  readonly store: string | null
  readonly storeState: StoreState
  readonly upstream: string | null
}

function startLine({ url, engine, model, store, storeState, upstream }: StartFacts): string {
  const kept =
    store === null
      ? 'sessions in memory, gone with the process (--store keeps them)'
      : `store ${store}, ${storeState.kind}: ${storeState.ok ? 'ok' : storeState.code}`
  const gateway = upstream === null ? '' : `the gateway is ${url}/v1, in front of ${upstream}\n`
  const answers =
    upstream === null ? `model ${model}` : `/query: answered ${model === 'offline' ? model : `by ${model}`}`
  return `palimpsest is listening on ${url} (engine ${engine}, ${answers}, ${kept})\n${gateway}`
}
