import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { SessionView, ViewDelta } from '../../src/view/session-view.ts'
import { createApi } from '../../web/src/data/api.ts'
import { liveSource } from '../../web/src/data/live-source.ts'
import { asked, said, sampleView } from './sample-view.ts'

/** A service with one session, whose connections a test can end. */
class Service {
  view = sampleView({ messages: [said(0)], requests: [asked(0, [0])] })
  /** The error that it ends in. */
  fault: string | undefined
  readonly #streams = new Set<ServerResponse>()
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (this.fault !== undefined)
      return response.writeHead(500).end(JSON.stringify({ error: { message: this.fault } }))
    if (pathname !== '/api/sessions/sample/events') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ view: this.view })}\n\n`)
    this.#streams.add(response)
  })

  async start(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  send(delta: ViewDelta): void {
    for (const stream of this.#streams) stream.write(`data: ${JSON.stringify({ delta })}\n\n`)
  }

  /** Ends the streams, as for a view that another one takes the place of. */
  end(): void {
    for (const stream of this.#streams) stream.end()
    this.#streams.clear()
  }

  get connections(): number {
    return this.#streams.size
  }

  async stop(): Promise<void> {
    this.#streams.clear()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A page that has the session open. */
function openPage(port: number) {
  const api = createApi({
    fetch: (path, init) => fetch(new URL(String(path), `http://127.0.0.1:${port}/`), init),
    token: null,
  })
  const seen = new AbortController()
  const source = liveSource({
    api,
    wait: (_, signal) => sleep(20, undefined, { signal }),
    whileSeen: (run) => {
      run(seen.signal)
      return () => seen.abort()
    },
  })
  const store = source.open('sample')
  stops.push(store.subscribe(() => {}))
  return {
    store,
    until: (matches: (view: SessionView) => boolean) =>
      vi.waitFor(() => {
        const state = store.get()
        if (state.status !== 'ready' || !matches(state.value))
          throw new Error(`still ${JSON.stringify(state).slice(0, 200)}`)
      }, 30_000),
  }
}

const delta = (from: number, texts: readonly string[]): ViewDelta => ({
  messages: { from, items: texts.map((text, place) => said(from + place, { text })) },
  requests: { from: 1, items: [] },
  compactions: { from: 0, items: [] },
  warnings: { from: 0, items: [] },
  facts: {},
})

async function startService() {
  const service = new Service()
  const port = await service.start()
  stops.push(() => void service.stop().catch(() => {}))
  return { service, port }
}

test('a page that missed something loads the whole again', async () => {
  const { service, port } = await startService()
  const { until } = openPage(port)
  await vi.waitUntil(() => service.connections === 1, 30_000)
  service.view = sampleView({ messages: [said(0), said(1), said(2)], requests: [asked(0, [0])] })
  service.send(delta(7, ['far ahead']))
  await until((view) => view.messages.length === 3)
})

test('a session that cannot be read: the page says why, and shows it once it can', async () => {
  const { service, port } = await startService()
  service.fault = 'a.jsonl does not exist; check the path.'
  const { store, until } = openPage(port)
  const message =
    'The service answered with status 500: a.jsonl does not exist; check the path. The page tries again.'
  await vi.waitFor(() => expect(store.get()).toEqual({ status: 'failed', message }), 30_000)
  service.fault = undefined
  await until((view) => view.messages.length === 1)
})

test('a view that was replaced is loaded again', async () => {
  const { service, port } = await startService()
  const { until } = openPage(port)
  await vi.waitUntil(() => service.connections === 1, 30_000)
  service.view = sampleView({ title: 'the next one' })
  service.end()
  await until((view) => view.title === 'the next one')
})
