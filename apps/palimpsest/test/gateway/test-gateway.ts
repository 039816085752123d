import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Clock } from '@palimpsest/core'
import type { Gateway, GatewayLimits, SessionLocks } from '@palimpsest/gateway'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { gatewaySummaries, type OpenGatewayInput, openGateway } from '../../src/serve/gateway/open-gateway.ts'
import { createServiceEngine, type ServiceEngine } from '../../src/serve/service-engine.ts'
import { createStoreLocks, locksOf } from '../../src/serve/store-locks.ts'
import { openStore } from '../../src/stores/open-store.ts'
import type { StorePlace } from '../../src/stores/store-place.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const tokens = createTokenCounter()

export interface TestGateway {
  readonly gateway: Gateway
  /** With `/v1`. */
  readonly baseUrl: string
  readonly inspector: Inspector
  readonly log: string[]
  /** A real client of it. */
  client(apiKey?: string): OpenAI
  close(): Promise<void>
}

export interface TestGatewayOptions {
  readonly baseUrl: string
  readonly windows?: Record<string, number>
  readonly hasToken?: boolean
  readonly oneUser?: boolean
  readonly limits?: Partial<GatewayLimits>
  readonly apiKey?: string
  /** Of formats that are spoken elsewhere. */
  readonly formats?: Readonly<Record<string, string>>
  readonly window?: number
  readonly maxWindow?: number
  readonly clock?: Clock
  /** Replaces some of the defaults. */
  readonly promptCaching?: Partial<OpenGatewayInput['promptCaching']>
  readonly engine?: string
  /** Of the engine and the gateway; in memory without one. */
  readonly place?: StorePlace
  /** Milliseconds for which a worker that does not answer has its conversations. Default: as in earnest. */
  readonly holdTime?: number
  /** Stands in the place of the gateway's own. */
  readonly locks?: SessionLocks
  /** Stands between the gateway and its engine. */
  readonly wrapEngine?: (engine: ServiceEngine) => Pick<ServiceEngine, 'open' | 'reader'>
}

/** A gateway in this process, mounted as the service does, on any free port. It is closed when the test is over. */
export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { baseUrl, apiKey, formats = {}, window = 128_000, clock = { now: Date.now }, place } = options
  const { wrapEngine = (engine) => engine } = options
  const configuration = await loadConfiguration(undefined, await temporaryFolder())
  const promptCaching = { ...configuration.config.prompt_caching, ...options.promptCaching }
  const flags = { engine: options.engine ?? 'decisions' }
  const store = await openStore(place)
  const kept = { store, principal: 'local' }
  const engine = await createServiceEngine({ configuration, flags, store, window, tokens, clock })
  const inspector = createInspector({ tokens, clock })
  const log: string[] = []
  const { holdTime: time } = options
  const own = time === undefined ? locksOf(kept) : createStoreLocks({ ...kept, time })
  const { locks = own } = options
  const gateway = openGateway({
    ...{
      baseUrl,
      apiKey,
      store: kept,
      locks,
      engine: wrapEngine(engine),
      readers: {},
      promptCaching,
      inspector,
    },
    ...{ tokens, clock, window, port: 0, hasToken: options.hasToken ?? false, limits: options.limits ?? {} },
    oneUser: options.oneUser ?? false,
    ...(options.maxWindow !== undefined && { maxWindow: options.maxWindow }),
    options: { base_url: undefined, windows: options.windows ?? {}, formats },
    summaries: await gatewaySummaries({
      block: {},
      upstream: { baseUrl, apiKey: undefined },
      own: undefined,
      environment: {},
    }),
    log: (line) => log.push(line),
  })
  const server = createAdaptorServer({ fetch: gateway.fetch, hostname: '127.0.0.1' }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const shutDown = async () => {
    await gateway.close(1_000)
    await store.close()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= shutDown()
    return closing
  }
  onTestFinished(close)
  return {
    gateway,
    baseUrl: url,
    inspector,
    log,
    client: (key = 'key-of-a-client') => new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 }),
    close,
  }
}
