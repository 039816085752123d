import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Clock } from '@palimpsest/core'
import type { Gateway, GatewayLimits } from '@palimpsest/gateway'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { gatewaySummaries, type OpenGatewayInput, openGateway } from '../../src/serve/gateway/open-gateway.ts'
import { createServiceEngine, type ServiceEngine } from '../../src/serve/service-engine.ts'
import { openServiceDatabase, type ServiceDatabase } from '../../src/serve/store/service-database.ts'
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
  readonly limits?: Partial<GatewayLimits>
  readonly apiKey?: string
  /** Of formats that are spoken elsewhere. */
  readonly formats?: Readonly<Record<string, string>>
  readonly window?: number
  readonly clock?: Clock
  /** Replaces some of the defaults. */
  readonly promptCaching?: Partial<OpenGatewayInput['promptCaching']>
  readonly engine?: string
  /** Of the engine and the gateway; in memory without one. */
  readonly place?: StorePlace
  /** Stands in the place of the gateway's own. */
  readonly locks?: ServiceDatabase['locks']
  /** Stands between the gateway and its engine. */
  readonly wrapEngine?: (engine: ServiceEngine) => Pick<ServiceEngine, 'open' | 'reader' | 'profile'>
}

/** A gateway in this process, mounted as the service does, on any free port. It is closed when the test is over. */
export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { baseUrl, apiKey, formats = {}, window = 128_000, clock = { now: Date.now }, place } = options
  const { wrapEngine = (engine) => engine } = options
  const configuration = await loadConfiguration(undefined, await temporaryFolder())
  const promptCaching = { ...configuration.config.prompt_caching, ...options.promptCaching }
  const flags = {
    engine: options.engine ?? 'decisions',
    ...(place !== undefined && { place }),
  }
  const engine = await createServiceEngine({ configuration, flags, window, tokens, clock })
  const inspector = createInspector({ tokens, clock })
  const log: string[] = []
  const opened = await openServiceDatabase(place, 'local')
  const database = { ...opened, ...(options.locks && { locks: options.locks }) }
  const gateway = openGateway({
    ...{ baseUrl, apiKey, database, engine: wrapEngine(engine), readers: {}, promptCaching, inspector },
    ...{ tokens, clock, window, port: 0, hasToken: options.hasToken ?? false, limits: options.limits ?? {} },
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
    await engine.close()
    await database.close()
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
