import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatCall, ChatModel, ChatResponse } from '@palimpsest/core'
import { createInspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { onTestFinished } from 'vitest'
import { readingModel } from '../../../../packages/decisions/test/reading-model.ts'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { createPromptCache, type PromptCacheInput } from '../../src/prompt-cache.ts'
import { createMetrics } from '../../src/serve/create-metrics.ts'
import { gatewaySummaries, openGateway } from '../../src/serve/gateway/open-gateway.ts'
import type { ServiceModels } from '../../src/serve/models/service-models.ts'
import { createServiceEngine } from '../../src/serve/service-engine.ts'
import { createServiceStore } from '../../src/serve/service-store.ts'
import { type Service, type ServiceInput, startService } from '../../src/serve/start-service.ts'
import { locksOf } from '../../src/serve/store-locks.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { databasePlace, filePlace, isAddress, type StorePlace } from '../../src/stores/store-place.ts'
import { type Caller, describeService } from './described-service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const tokens = createTokenCounter()

export interface TestService extends Caller, Pick<Service, 'url' | 'close'> {
  /** What was logged so far. */
  readonly log: readonly string[]
  /** What is said at its start. */
  readonly warnings: readonly string[]
}

export type TestOptions = Partial<Pick<ServiceInput, 'host' | 'token' | 'limits' | 'clock'>> & {
  readonly models?: ServiceModels
  /** Where the model that answers is served. Default: nothing is cached. */
  readonly caching?: PromptCacheInput['caching']
  readonly engine?: string
  readonly profile?: string
  /** A file, or the address of a database. */
  readonly store?: string
  /** Of that database. */
  readonly schema?: string
  readonly poolSize?: number
  /** Milliseconds that a connection of its pool is waited for. */
  readonly connectTimeout?: number
  readonly window?: number
  /** Where its gateway forwards to. */
  readonly upstream?: string
  readonly upstreamKey?: string
  readonly threshold?: number
  /** The text of `config.yaml`. */
  readonly config?: string
  readonly headers?: Record<string, string>
}

/** A service in this process, on any free port. It is closed when the test is over. */
export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const { engine: name = 'compressor', profile, window = 200_000, models, headers } = options
  const folder = await temporaryFolder()
  if (options.config !== undefined) await writeFile(join(folder, 'config.yaml'), options.config)
  const configuration = await loadConfiguration(undefined, folder)
  const clock = options.clock ?? { now: Date.now }
  const kept = await openStore(placeOf(options))
  const store = createServiceStore({ store: kept, principal: 'local', clock })
  const flags = {
    engine: name,
    ...(profile !== undefined && { profile }),
    ...(options.threshold !== undefined && { threshold: options.threshold }),
  }
  const input = { configuration, flags, store: kept, window, tokens, clock }
  const engine = await createServiceEngine(input).catch(async (error) => {
    await kept.close()
    throw error
  })
  const log: string[] = []
  const metrics = createMetrics()
  const shared = {
    engine,
    tokens,
    clock,
    inspector: metrics.count(createInspector({ tokens, clock })),
    log: (line: string) => log.push(line),
  }
  const settings = configuration.config.prompt_caching
  const { upstream, upstreamKey: apiKey } = options
  const openTestGateway = async (baseUrl: string) =>
    openGateway({
      ...{ ...shared, baseUrl, apiKey, store, locks: locksOf(store), window, port: 0, readers: {} },
      hasToken: options.token !== undefined,
      limits: { upload: options.limits?.timeLimit ?? 60_000 },
      promptCaching: settings,
      options: { base_url: undefined, windows: {}, formats: {} },
      summaries: await gatewaySummaries({
        block: configuration.config.auxiliary.compression,
        upstream: { baseUrl, apiKey },
        own: undefined,
        environment: {},
      }),
    })
  const gateway = upstream === undefined ? undefined : await openTestGateway(upstream)
  const service = await startService({
    ...shared,
    metrics,
    promptCache: createPromptCache({ caching: options.caching, settings, tokens, clock }),
    host: options.host ?? '127.0.0.1',
    port: 0,
    token: options.token,
    store,
    window,
    models: {
      ...(name === 'decisions' && { extraction: readingModel({}) }),
      ...(models ?? { answer: echo() }),
    },
    ...(gateway !== undefined && { gateway }),
    ...(options.limits && { limits: options.limits }),
  }).catch(async (error) => {
    await kept.close()
    throw error
  })
  onTestFinished(service.close)
  const caller = await describeService(service.url.replace('0.0.0.0', '127.0.0.1'), headers)
  return { ...caller, url: service.url, close: service.close, log, warnings: engine.warnings }
}

function placeOf({ store, schema, poolSize, connectTimeout }: TestOptions): StorePlace | undefined {
  if (store === undefined || !isAddress(store)) return store === undefined ? undefined : filePlace(store)
  const options = {
    url: store,
    ...(schema !== undefined && { schema }),
    ...(poolSize !== undefined && { poolSize }),
    ...(connectTimeout !== undefined && { connectTimeout }),
  }
  return databasePlace(options, '--store')
}

/** A model that does what it is told. */
export function scripted(reply: (call: ChatCall) => ChatResponse | Promise<ChatResponse>): ChatModel {
  return { name: 'gemini:gemini-3-flash-preview', chat: async (call) => reply(call) }
}

/** A model that repeats the last message, and reports usage. */
export function echo(): ChatModel {
  return scripted(({ messages }) =>
    words(
      `You said: ${String(messages.at(-1)?.content)}`,
      Math.max(100, Math.ceil(JSON.stringify(messages).length / 8)),
    ),
  )
}

/** An answer in words. */
export function words(content: string, promptTokens = 100): ChatResponse {
  const usage = { promptTokens, completionTokens: 10, totalTokens: promptTokens + 10, cacheReadTokens: 40 }
  return { message: { role: 'assistant', content }, finishReason: 'stop', usage }
}
