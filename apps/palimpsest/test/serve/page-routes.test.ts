import compressor from '@palimpsest/compressor'
import { createContextSession } from '@palimpsest/core'
import { createInspector, type Inspector, type SessionView } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ViewDelta } from '../../../../packages/inspector/src/view/session-view.ts'
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
async function* eventsOf(url: string): AsyncGenerator<EventSourceMessage> {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const response = await fetch(url, { signal: end.signal })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const waiting: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event) })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    while (waiting.length > 0) {
      const event = waiting.shift()
      if (event !== undefined) yield event
    }
  }
}

const getJson = async (url: string) => {
  const response = await fetch(url)
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the test is about.
  return { status: response.status, body: (await response.json()) as any }
}

const queryOf = (cursor: Record<string, number>) =>
  new URLSearchParams(Object.entries(cursor).map(([name, value]): [string, string] => [name, String(value)]))

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
    expect((await list.next()).value).toMatchObject({ event: 'sessions', data: '{"sessions":[]}' })
    const { turn } = watch(inspector, 'first')
    await turn('hello')
    const told = JSON.parse((await list.next()).value?.data ?? '')
    expect(told.sessions.map(({ id }: { id: string }) => id)).toEqual(['first'])

    const { body } = await getJson(`${url}/api/sessions/first`)
    let view: SessionView = body.view
    expect(view.requests).toHaveLength(1)
    const events = eventsOf(`${url}/api/sessions/first/events?${queryOf(body.cursor)}`)
    await turn('and again <b>you</b>')
    while (view.requests.length < 2 || view.requests[1]?.answer == null) {
      const event = (await events.next()).value
      expect(event?.event).toBe('delta')
      view = applyDelta(view, JSON.parse(event?.data ?? '') as ViewDelta)
    }
    const whole: SessionView = (await getJson(`${url}/api/sessions/first`)).body.view
    expect(view).toEqual(whole)
    expect(whole.messages.map(({ text }) => text)).toContain('and again <b>you</b>')
  })

  it('sends a page back to the beginning that has another view of the session', async () => {
    const { inspector, url } = await startPage()
    await watch(inspector, 'again').turn('one')
    const { cursor } = (await getJson(`${url}/api/sessions/again`)).body
    const follow = (from: Record<string, number>) =>
      eventsOf(`${url}/api/sessions/again/events?${queryOf(from)}`).next()
    for (const wrong of [{}, { ...cursor, revision: 0 }, { ...cursor, messages: -1 }])
      expect([wrong, (await follow(wrong)).value?.event]).toEqual([wrong, 'gone'])
    // The same session in another run of the program: its cursor says nothing here.
    await watch(inspector, 'again').turn('one')
    expect((await follow(cursor)).value?.event).toBe('gone')
  })

  it('tells a page whose view another one takes the place of', async () => {
    const { inspector, url } = await startPage()
    await watch(inspector, 'again').turn('one')
    const { cursor } = (await getJson(`${url}/api/sessions/again`)).body
    const events = eventsOf(`${url}/api/sessions/again/events?${queryOf(cursor)}`)
    const told = events.next()
    watch(inspector, 'again')
    expect((await told).value?.event).toBe('gone')
  })

  it('says that it has no such session', async () => {
    const { url } = await startPage()
    for (const path of ['/api/sessions/none', '/api/sessions/none/events']) {
      const { status, body } = await getJson(`${url}${path}`)
      expect([path, status, body.error.code]).toEqual([path, 404, 'unknown-session'])
    }
  })

  it('answers to this machine only', async () => {
    const { url } = await startPage()
    const { status } = await getJson(`${url}/api/sessions`)
    expect(status).toBe(200)
    const { request } = await import('node:http')
    const refused = await new Promise((resolve, reject) => {
      const call = request(`${url}/api/sessions`, { headers: { host: 'rebound.example' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.on('error', reject).end()
    })
    expect(refused).toBe(403)
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

  it('keeps the newest views, also of one that was quiet and is not any more', async () => {
    const inspector = newInspector()
    const sessions = Array.from({ length: 70 }, (_, index) => watch(inspector, `s${index}`))
    expect(inspector.list()).toHaveLength(64)
    expect(inspector.list()[0]?.id).toBe('s69')
    expect(await inspector.view('s0')).toBeUndefined()
    await sessions[0]?.turn('back again')
    await vi.waitFor(() => expect(inspector.list()[0]?.id).toBe('s0'), 30_000)
    expect(inspector.list()).toHaveLength(64)
    expect(await inspector.view('s6')).toBeUndefined()
  })

  it('ends a stream when a store fails, and prints nothing', async () => {
    const printed = vi.spyOn(console, 'error')
    onTestFinished(() => printed.mockRestore())
    const { inspector, url } = await startPage()
    const events = eventsOf(`${url}/api/events`)
    await events.next()
    const fails = async () => Promise.reject(new Error('the disk is gone'))
    inspector.remember({ list: fails, view: fails })
    await watch(inspector, 'first').turn('hello')
    expect((await events.next()).value).toMatchObject({ event: 'error', data: 'the disk is gone' })
    expect((await events.next()).done).toBe(true)
    expect(await getJson(`${url}/api/sessions`)).toMatchObject({
      status: 500,
      body: { error: { message: 'the disk is gone' } },
    })
    expect(printed).not.toHaveBeenCalled()
  })

  it('ends streams when it is closed', async () => {
    const server = await startPageServer(newInspector())
    const events = eventsOf(`${server.url}/api/events`)
    await events.next()
    await server.close()
    await expect(events.next().then(({ done }) => done)).resolves.toBe(true)
  })
})
