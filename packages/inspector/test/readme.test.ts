import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import * as nodeServer from '@hono/node-server'
import * as compressor from '@palimpsest/compressor'
import * as core from '@palimpsest/core'
import { Hono } from 'hono'
import { expect, it, onTestFinished, vi } from 'vitest'
import * as inspectorPackage from '../src/index.ts'

const [example = '', mounted = '', inFile = ''] = [
  ...readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, text = '']) => text)

const written = vi.fn<(path: string, pieces: Iterable<string>) => void>()

const modules: Readonly<Record<string, unknown>> = {
  'node:fs/promises': { writeFile: written },
  'node:http': { createServer },
  '@hono/node-server': nodeServer,
  '@palimpsest/compressor': compressor,
  '@palimpsest/core': core,
  '@palimpsest/inspector': inspectorPackage,
}

/** Runs a block of the README, and returns some of its variables. */
async function run<T>(
  text: string,
  result: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const program = stripTypeScriptTypes(text)
    .replaceAll(/^import (\w+) from/gm, 'import { default: $1 } from')
    .replaceAll(/^import (\{[^}]*\}) from ('[^']*')$/gm, 'const $1 = modules[$2]')
  const all = { modules, ...given }
  const body = `return (async () => { ${program}\nreturn ${result} })()`
  return (await new Function(...Object.keys(all), body)(...Object.values(all))) as T
}

interface Example {
  readonly inspector: inspectorPackage.Inspector
  readonly session: core.ContextSession
  readonly server: Server
}

async function startExample(): Promise<Example & { readonly url: string }> {
  vi.stubEnv('PORT', '0')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const started = await run<Example>(example, '{ inspector, session, server }')
  onTestFinished(() => void started.server.close())
  await vi.waitFor(() => expect(started.server.listening).toBe(true))
  return { ...started, url: `http://127.0.0.1:${(started.server.address() as AddressInfo).port}` }
}

it('the first example serves a page that shows the session', async () => {
  const { session, url } = await startExample()
  await session.prepare([{ role: 'user', content: 'Which fixes are in?' }])
  await session.observe({ message: { role: 'assistant', content: 'Three.' } })
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  const { sessions } = (await (await fetch(`${url}/api/sessions`)).json()) as { sessions: unknown[] }
  expect(sessions).toMatchObject([
    { id: session.id, title: 'Which fixes are in?', source: 'host', engine: 'compressor', messages: 2 },
  ])
})

it('it can be mounted at a path', async () => {
  const { inspector, session } = await startExample()
  const app = new Hono()
  await run(mounted, 'undefined', { app, inspector })
  expect(await (await app.request('/inspect/')).text()).toContain('<title>')
  const found = await app.request(`/inspect/api/sessions/${session.id}`)
  expect(await found.json()).toMatchObject({ view: { id: session.id } })
  const unknown = await app.request('/inspect/api/nothing')
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'unknown-route' } }])
})

it('a page in a file has the session in it', async () => {
  const { inspector, session } = await startExample()
  await session.prepare([{ role: 'user', content: 'Hello.' }])
  await run(inFile, 'undefined', { inspector, session })
  const [path, pieces = []] = written.mock.lastCall ?? []
  expect(path).toBe('session.html')
  expect([...pieces].join('')).toContain('<script id="palimpsest-data"')
})
