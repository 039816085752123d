import compressor from '@palimpsest/compressor'
import { createContextSession } from '@palimpsest/core'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FeedEvent } from '../../../../packages/inspector/src/view/session-view.ts'
import { createApi } from '../../../../packages/inspector/web/src/data/api.ts'
import { applyDelta } from '../../../../packages/inspector/web/src/data/live-source.ts'
import { startPageServer } from '../../src/serve/http/start-page.ts'

const tokens = createTokenCounter()
const newInspector = () => createInspector({ tokens, clock: { now: () => 0 } })

async function startPage() {
  const inspector = newInspector()
  const server = await startPageServer(inspector)
  onTestFinished(server.close)
  return { inspector, ...server }
}

function watch(inspector: Inspector, sessionId: string) {
  const session = createContextSession({ engine: compressor, contextLength: 8_000, tokens, sessionId })
  const watched = inspector.watch(session, { source: 'chat', summaries: 'offline' })
  const history: { role: 'user' | 'assistant'; content: string }[] = []
  const turn = async (text: string) => {
    history.push({ role: 'user', content: text })
    await watched.prepare(history)
    const message = { role: 'assistant' as const, content: `heard: ${text}` }
    await watched.observe({ message })
    history.push(message)
  }
  return { session: watched, turn }
}

/** The events of a stream, as they come. */
async function* eventsOf(url: string) {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  yield* createApi({ fetch, token: null }).events(url, end.signal) as AsyncGenerator<FeedEvent>
}

const getJson = async (url: string) => {
  const response = await fetch(url)
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the test is about.
  return { status: response.status, body: (await response.json()) as any }
}

describe('the page of a running program', () => {
  it('is one file that may talk to nobody but its own service', async () => {
    const { url } = await startPage()
    const response = await fetch(url)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    // No page has to be kept from other ports of this machine, and no other site may read this one.
    for (const name of ['strict-transport-security', 'access-control-allow-origin'])
      expect(response.headers.has(name)).toBe(false)
    const html = await response.text()
    expect(html).toContain('<title>')
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)="(?!data:)/)
  })

  it('tells of sessions as they come, and of each as it grows', async () => {
    const { inspector, url } = await startPage()
    const list = eventsOf(`${url}/api/events`)
    expect((await list.next()).value).toEqual({ sessions: [] })
    const { turn } = watch(inspector, 'first')
    await turn('hello')
    expect((await list.next()).value).toMatchObject({ sessions: [{ id: 'first' }] })

    const events = eventsOf(`${url}/api/sessions/first/events`)
    const begun = (await events.next()).value
    if (begun === undefined || !('view' in begun)) throw new Error('the stream does not begin with the view')
    let { view } = begun
    expect(view.requests).toHaveLength(1)
    await turn('and again <b>you</b>')
    while (view.requests.length < 2 || view.messages.at(-1)?.role !== 'assistant') {
      const event = (await events.next()).value
      if (event === undefined || !('delta' in event)) throw new Error('the view does not grow')
      view = applyDelta(view, event.delta)
    }
    const { body } = await getJson(`${url}/api/sessions/first`)
    expect(view).toEqual(body.view)
    expect(view.messages.map(({ text }) => text)).toContain('and again <b>you</b>')
  })

  it('finds sessions by whatever id they have', async () => {
    const { inspector, url } = await startPage()
    for (const id of ['gateway:a:b', 'team/shop#2', 'half%2Fway 100%', 'naïve'])
      for (const path of ['', '/events']) {
        if (path === '') watch(inspector, id)
        const response = await fetch(`${url}/api/sessions/${encodeURIComponent(id)}${path}`)
        expect([id, path, response.status]).toEqual([id, path, 200])
        if (path === '') expect(await response.json()).toMatchObject({ view: { id } })
        else await response.body?.cancel()
      }
  })
})
