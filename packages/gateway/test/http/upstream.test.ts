import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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

const post = (baseUrl: string) =>
  createUpstream(baseUrl, 10_000).send('/chat', {
    headers: new Headers({ authorization: 'Bearer key' }),
    body: '{}',
    signal: new AbortController().signal,
  })

it('a redirect is refused, and says where to', async () => {
  const url = await listen((_, response) => response.writeHead(308, { location: '/v2/chat' }).end('moved'))
  await expect(post(url)).rejects.toMatchObject({
    code: 'upstream_redirects',
    message: expect.stringContaining('redirects to /v2/chat'),
  })
})

it('an answer that is encoded is decoded', async () => {
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'))
  })
  expect(await (await post(url)).text()).toBe('plain')
})

it('an answer that was made to grow when it is decoded is a fault', async () => {
  const bomb = gzipSync(Buffer.alloc(40_000_000))
  const headers = { 'content-encoding': 'gzip', 'content-length': bomb.length }
  const url = await listen((_, response) => response.writeHead(200, headers).end(bomb))
  await expect((await post(url)).text()).rejects.toMatchObject({ code: 'upstream_too_large', status: 502 })
})

it.each([204, 205, 300, 304, 600, 999])('the status %d is a fault that names it', async (status) => {
  const url = await listen((_, response) => response.writeHead(status).end())
  await expect(post(url)).rejects.toMatchObject({
    code: 'upstream_status',
    status: 502,
    message: expect.stringContaining(`the status ${status}`),
  })
})

it.each([{}, { 'content-encoding': 'gzip' }])('an answer that breaks off is a fault: %o', async (headers) => {
  const url = await listen((_, response) => {
    response.writeHead(200, headers).write('part', () => response.destroy())
  })
  await expect((await post(url)).text()).rejects.toMatchObject({ code: 'upstream_disconnected' })
})
