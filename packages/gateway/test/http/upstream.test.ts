import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { createUpstream } from '../../src/http/upstream.ts'

const servers: Server[] = []

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

const post = (baseUrl: string, body: readonly (string | Uint8Array<ArrayBuffer>)[] = ['{}']) =>
  createUpstream({ baseUrl, idle: 10_000 }).send('/chat', {
    headers: new Headers({ authorization: 'Bearer key', 'x-own': 'kept' }),
    body,
    signal: new AbortController().signal,
  })

it('a body in pieces arrives as one, with its length', async () => {
  const url = await listen(async (request, response) => {
    response.end(`${request.headers['content-length']} ${await textOf(request)}`)
  })
  const answer = await post(url, ['{"a":', Buffer.from('"ü"'), '}'])
  expect(await answer.text()).toBe('10 {"a":"ü"}')
})

it('a redirect that keeps the request is followed; another server gets no credentials', async () => {
  const other = await listen(async (request, response) => {
    const { authorization = 'none', 'x-own': own } = request.headers
    response.end(`${authorization} ${own} ${await textOf(request)}`)
  })
  const url = await listen((request, response) => {
    const location = request.url === '/chat' ? '/v2/chat' : `${other}/chat`
    response.writeHead(308, { location }).end('moved')
  })
  expect(await (await post(url, ['hello'])).text()).toBe('none kept hello')
})

it('a redirect without an end is passed on', async () => {
  const url = await listen((_, response) => response.writeHead(307, { location: '/chat' }).end('moved'))
  expect((await post(url)).status).toBe(307)
})

it('an answer that is encoded all the same is decoded', async () => {
  const url = await listen((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'))
  })
  expect(await (await post(url)).text()).toBe('plain')
})

it('an answer that breaks off is a fault, encoded or not', async () => {
  for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
    const url = await listen((_, response) => {
      response.writeHead(200, headers).write('part', () => response.destroy())
    })
    await expect((await post(url)).text()).rejects.toMatchObject({ code: 'upstream_disconnected' })
  }
})
