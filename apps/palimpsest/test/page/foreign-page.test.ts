import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../../packages/inspector/test/page/describe-with-browser.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { listenForTest } from '../mock-server.ts'
import { startTestService } from '../serve/test-service.ts'

const CHAT = { model: 'mock-large', messages: [{ role: 'user', content: 'hello' }] }

/** A service with a gateway, and the calls that came to it. */
async function serve() {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const service = await startTestService({ upstream: upstream.baseUrl })
  const before = service.log.length
  const statuses = () => service.log.slice(before).map((line) => / (\d{3}) \d+ms/.exec(line)?.[1])
  return { upstream, service, statuses, port: new URL(service.url).port }
}

/** The attempts that a page can make: runs in the browser. It resolves when all that can be waited for is over. */
const ATTACK = `async (to) => {
  const body = ${JSON.stringify(JSON.stringify(CHAT))}
  const tried = []
  const attempt = (url, init) => tried.push(fetch(to + url, init).then((answer) => answer.type, () => 'refused'))
  for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings', '/query', '/init']) {
    for (const type of ['text/plain', 'text/plain;application/json', 'application/x-www-form-urlencoded', ''])
      attempt(path, { method: 'POST', mode: 'no-cors', body: new Blob([body], { type }) })
    attempt(path, { method: 'POST', mode: 'no-cors', credentials: 'include' })
    attempt(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    navigator.sendBeacon(to + path, body)
    for (const enctype of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
      const frame = document.createElement('iframe')
      frame.name = path + enctype
      const form = document.createElement('form')
      Object.assign(form, { action: to + path, method: 'POST', enctype, target: frame.name })
      const field = document.createElement('input')
      Object.assign(field, { name: body.slice(0, -1) + ', "x":"', value: '"}' })
      form.append(field)
      document.body.append(frame, form)
      tried.push(new Promise((resolve) => frame.addEventListener('load', () => resolve('shown'), { once: true })))
      form.submit()
    }
  }
  for (const path of ['/v1/models', '/state', '/costs', '/api/sessions', '/metrics']) {
    attempt(path, { mode: 'no-cors' })
    attempt(path)
    for (const tag of ['img', 'script']) {
      const element = document.createElement(tag)
      tried.push(new Promise((resolve) => {
        element.onload = () => resolve('loaded')
        element.onerror = () => resolve('refused')
      }))
      element.src = to + path
      document.body.append(element)
    }
  }
  const events = new EventSource(to + '/api/events')
  tried.push(new Promise((resolve) => {
    events.onopen = () => resolve('open')
    events.onerror = () => resolve('refused')
  }))
  const socket = new WebSocket(to.replace('http', 'ws') + '/v1/responses')
  tried.push(new Promise((resolve) => {
    socket.onopen = () => resolve('open')
    socket.onerror = () => resolve('refused')
  }))
  return await Promise.all(tried)
}`

describeWithBrowser('pages of other origins', (open) => {
  it('spend no key and begin no session, whatever they send from another port of this machine', async () => {
    const { upstream, service, statuses } = await serve()
    const page = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<body>'))
    const opened = await open(await listenForTest(page))
    const tried = await opened.page.evaluate<string[]>(`(${ATTACK})('${service.url}')`)
    expect(tried.length).toBeGreaterThan(70)
    expect(tried.filter((result) => result === 'open' || result === 'loaded' || result === 'cors')).toEqual(
      [],
    )
    expect(upstream.paths).toEqual([])
    // All that did not fail in the browser already was refused by us.
    expect(statuses().length).toBeGreaterThan(60)
    expect(statuses().filter((status) => status !== '403')).toEqual([])
    const state = await service.get('/state?session=hello')
    expect(state.status).toBe(404)
  })

  it('get nothing when their name is rebound to this machine', async () => {
    const { upstream, statuses, port } = await serve()
    const { page } = await open(`http://rebound.test:${port}/`)
    const calls = `async () => await Promise.all([
      fetch('/v1/models'),
      fetch('/metrics'),
      fetch('/api/sessions'),
      ...['/v1/chat/completions', '/query'].map((path) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"q"}' })),
    ].map(async (call) => (await call).status))`
    expect(await page.evaluate(`(${calls})()`)).toEqual([403, 403, 403, 403, 403])
    expect(new Set(statuses())).toEqual(new Set(['403']))
    expect(upstream.paths).toEqual([])
  })

  it('may link to the page, which may use the gateway', async () => {
    const { upstream, service } = await serve()
    const page = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<a href="${service.url}/">the page</a>`),
    )
    const opened = await open(await listenForTest(page))
    await opened.page.getByRole('link').click()
    await opened.page.getByText('No sessions yet').first().waitFor()
    const calls = `async () => [
      (await fetch('/v1/models')).status,
      (await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: ${JSON.stringify(JSON.stringify(CHAT))},
      })).status,
    ]`
    expect(await opened.page.evaluate(`(${calls})()`)).toEqual([200, 200])
    expect(upstream.requests).toHaveLength(1)
  })
})

it.each([
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'Application/JSON' },
  { 'content-type': 'application/json', 'anthropic-dangerous-direct-browser-access': 'true' },
  { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (like a browser)' },
  { 'content-type': 'application/json', 'sec-fetch-mode': 'cors' },
])('a program that sends %j is a client', async (headers) => {
  const { upstream, service } = await serve()
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(CHAT),
  })
  expect(response.status).toBe(200)
  expect(upstream.requests).toHaveLength(1)
})
