import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import * as nodeServer from '@hono/node-server'
import * as compressor from '@palimpsest/compressor'
import * as core from '@palimpsest/core'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as gateway from '../src/index.ts'

const [example = '', hono = '', express = '', next = ''] = [
  ...readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, text = '']) => text)

const modules: Readonly<Record<string, unknown>> = {
  'node:http': { createServer },
  '@hono/node-server': nodeServer,
  '@palimpsest/compressor': compressor,
  '@palimpsest/core': core,
  '@palimpsest/gateway': gateway,
}

/** Runs a block of the README, and returns one of its variables. */
function run<T>(text: string, result: string, given: Readonly<Record<string, unknown>> = {}): T {
  const program = stripTypeScriptTypes(text.replace('https://api.openai.com', upstream))
    .replaceAll(/^import (\w+) from/gm, 'import { default: $1 } from')
    .replaceAll(/^import (\{[^}]*\}) from ('[^']*')$/gm, 'const $1 = modules[$2]')
    .replaceAll(/^export /gm, '')
  const all = { modules, ...given }
  return new Function(...Object.keys(all), `${program}\nreturn ${result}`)(...Object.values(all)) as T
}

const servers: Server[] = []
const exampleGateway = () => run<gateway.Gateway>(`${example}\nserver.close()`, 'gateway')

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The requests to the upstream, which stands for the one of the example. */
const asked = vi.fn<(url: string) => void>()
let upstream = ''

beforeEach(async () => {
  asked.mockReset()
  process.env.PORT = '0'
  upstream = await listen((request, response) => {
    asked(String(request.url))
    const message = { role: 'assistant', content: 'Three fixes.' }
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
  })
})

afterEach(async () => {
  delete process.env.PORT
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

async function ask(url: string): Promise<unknown> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(response.headers.get('x-palimpsest-session')).toMatch(/^c-/)
  expect(asked).toHaveBeenLastCalledWith('/v1/chat/completions')
  const body = (await response.json()) as { choices: { message: { content: string } }[] }
  return body.choices[0]?.message.content
}

it('the first example works on node:http', async () => {
  const server = run<Server>(example, 'server')
  servers.push(server)
  await vi.waitFor(() => expect(server.listening).toBe(true))
  expect(await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBe('Three fixes.')
})

it('the handler is mounted in Hono', async () => {
  const app = new Hono()
  run(hono, 'app', { app, gateway: exampleGateway() })
  expect(await ask(await listen(nodeServer.getRequestListener(app.fetch)))).toBe('Three fixes.')
})

it('the handler is mounted in Express', async () => {
  const app = createRequire(import.meta.url)('express')()
  const { getRequestListener } = nodeServer
  run(express, 'app', { app, getRequestListener, gateway: exampleGateway() })
  expect(await ask(await listen(app))).toBe('Three fixes.')
})

it('the handlers of a route of Next are those of a fetch handler', async () => {
  const { POST, GET } = run<Record<'POST' | 'GET', gateway.Gateway['fetch']>>(next, '{ POST, GET }', {
    gateway: exampleGateway(),
  })
  expect(await ask(await listen(nodeServer.getRequestListener(POST)))).toBe('Three fixes.')
  expect((await GET(new Request('http://localhost/v1/models'))).status).toBe(200)
})
