import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Clock } from '@palimpsest/core'
import { createGateway, type Gateway, type GatewayOptions } from '@palimpsest/gateway'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { type GatewaySessionsInput, gatewaySessions } from '../../src/serve/gateway/gateway-sessions.ts'
import { createServiceEngine, type ServiceEngine } from '../../src/serve/service-engine.ts'
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

export interface TestGatewayOptions
  extends Partial<Pick<GatewayOptions, 'windows' | 'index' | 'locks' | 'hasToken' | 'limits'>> {
  readonly baseUrl: string
  readonly apiKey?: string
  /** Of formats that are spoken elsewhere. */
  readonly formats?: Readonly<Record<string, string>>
  readonly window?: number
  readonly clock?: Clock
  /** Replaces some of the defaults. */
  readonly promptCaching?: Partial<GatewaySessionsInput['promptCaching']>
  readonly engine?: string
  /** Of the engine; in memory without one. */
  readonly place?: StorePlace
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
  const gateway = createGateway({
    upstream: { baseUrl, formats, ...(apiKey !== undefined && { apiKey }) },
    ...gatewaySessions({
      ...{ baseUrl, formats, engine: wrapEngine(engine), readers: {}, promptCaching, inspector },
      ...{ tokens, clock },
    }),
    window,
    clock,
    log: (line) => log.push(line),
    ...(options.hasToken && { hasToken: true }),
    ...(options.windows && { windows: options.windows }),
    ...(options.index && { index: options.index }),
    ...(options.locks && { locks: options.locks }),
    ...(options.limits && { limits: options.limits }),
  })
  const server = createAdaptorServer({ fetch: gateway.fetch, hostname: '127.0.0.1' }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const shutDown = async () => {
    await gateway.close(1_000)
    await engine.close()
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
