import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { PROGRAM, runCli } from '../run-cli.ts'
import { claudeLines, fakeHome } from '../sessions/fake-home.ts'

function environment(home: string): Record<string, string> {
  const { PATH = '' } = process.env
  return { PATH, HOME: home, PALIMPSEST_HOME: join(home, 'state'), CLAUDE_PROJECT_DIR: '/work/shop' }
}

async function overStdio(home: string, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const server = { command: process.execPath, args: [...PROGRAM, 'mcp', ...args], cwd: home }
  await client.connect(new StdioClientTransport({ ...server, env: environment(home), stderr: 'ignore' }))
  return client
}

const CONFORMANCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

async function overHttp(home: string, more: Record<string, string> = {}) {
  const env = { ...environment(home), ...more }
  const args = [...PROGRAM, 'mcp', '--port', '0']
  const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  child.stderr.on('data', (text) => {
    told += text
  })
  await expect.poll(() => told).toContain('/mcp')
  return {
    url: new URL(/http:\S+/.exec(told)?.[0] ?? ''),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await once(child, 'close')
      return code
    },
  }
}

const grep = async (client: Client, query: string) => {
  const { structuredContent, content } = await client.callTool({ name: 'lcm_grep', arguments: { query } })
  return (structuredContent ?? content) as Record<string, unknown>
}

describe('palimpsest mcp', () => {
  it('serves the sessions of the machine over standard input and output', async () => {
    using test = fakeHome()
    test.write('.claude/projects/-work-shop/one.jsonl', claudeLines('The lychee migration is on Friday.'))
    const client = await overStdio(test.home)
    expect((await client.listTools()).tools).toHaveLength(3)
    expect(await grep(client, 'lychee')).toMatchObject({ complete: true, hits: [{ ref: 'm1' }] })
    await client.close()
  })

  it('serves one session of a store, with secrets hidden, and no other one', async () => {
    using test = fakeHome()
    const path = join(test.home, 'sessions.db')
    const store = createSqliteStore({ path })
    const secret = ['ghp', 'Zq8Lw2Xc5Vb7Nm4Kj9Hg6Fd3Sa1Po0IuYt5R'].join('_')
    for (const [key, text] of [
      ['main', `The lychee token is ${secret}.`],
      ['other', 'The lychee of another session.'],
    ] as const) {
      const session = await store.session({ key }, 1)
      const message = { role: 'user' as const, content: text }
      await session.append({ nextSeq: 0, messages: [{ message, tokens: 9 }], at: 1 })
    }
    await store.close()
    const client = await overStdio(test.home, '--store', path, '--session', 'main')
    const answers = [await grep(client, 'lychee'), await grep(client, 'Zq8Lw2')]
    for (const args of [
      { id: 'm0' },
      { id: 'm0', form: 'json' },
      { id: 'm0', offset: 25 },
      { session: 'other', id: 'm0' },
    ])
      answers.push({ ...(await client.callTool({ name: 'lcm_expand', arguments: args })) })
    const text = JSON.stringify(answers)
    expect(text).toContain('lychee')
    expect(text).toContain('[REDACTED')
    expect(text).not.toMatch(/another session|Kj9Hg6/)
    await client.close()
    const unknown = await runCli(['mcp', '--store', path, '--session', 'mian'], { cwd: test.home })
    expect(unknown).toMatchObject({ code: 0, stderr: expect.stringContaining('has no session "mian" yet') })
  })

  it('offers decisions, and recording them only with the flag', async () => {
    using test = fakeHome()
    test.write('.claude/projects/-work-shop/one.jsonl', claudeLines('The lychee migration is on Friday.'))
    const path = join(test.home, 'decisions.db')
    const reading = await overStdio(test.home, '--decisions', path, '--project', 'shop')
    const names = (await reading.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['decisions_list', 'decisions_explain']))
    expect(names).not.toContain('decisions_record')
    const { structuredContent } = await reading.callTool({ name: 'decisions_list', arguments: {} })
    expect(structuredContent).toMatchObject({ total: 0, decisions: [] })
    expect(await grep(reading, 'lychee')).toMatchObject({ hits: [{ ref: 'm1' }] })
    await reading.close()
    const recording = await overStdio(test.home, '--decisions', path, '--project', 'shop', '--record')
    expect((await recording.listTools()).tools.map(({ name }) => name)).toContain('decisions_record')
    await recording.close()
  })

  it('serves over HTTP to callers with the token, and to this machine only', async () => {
    using test = fakeHome()
    test.write('.claude/projects/-work-shop/one.jsonl', claudeLines('The lychee migration is on Friday.'))
    const { url, stop } = await overHttp(test.home, { PALIMPSEST_TOKEN: 'the token' })
    const headers = { authorization: 'Bearer the token' }
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    expect(await grep(client, 'lychee')).toMatchObject({ hits: [{ ref: 'm1' }] })
    await client.close()
    const post = (more: Record<string, string>, to: URL | string = url) =>
      fetch(to, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...more } })
    expect((await post({})).status).toBe(401)
    expect((await post({ authorization: 'Bearer another' })).status).toBe(401)
    expect((await post({ ...headers, origin: 'http://evil.example' })).status).toBe(403)
    expect((await post(headers, new URL('/', url))).status).toBe(404)
    const large = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { x: 'a'.repeat(2_000_000) },
      }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    })
    expect(large.status).toBe(413)
    expect(await stop()).toBe(0)
  })

  it.each([{}, { PALIMPSEST_TOKEN: 'a-token-of-tests' }])(
    'answers a page of its own origin alone, and of no other port or name of this machine, with %o',
    async (env) => {
      using test = fakeHome()
      const { url, stop } = await overHttp(test.home, env)
      const { PALIMPSEST_TOKEN: token } = env
      const status = async (origin: string | undefined) => {
        const response = await fetch(url, {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(origin !== undefined && { origin }),
          },
        })
        await response.text()
        return response.status
      }
      const { port, origin } = url
      const others = [
        'http://127.0.0.1',
        'http://127.0.0.1:1',
        `http://localhost:${port}`,
        `http://[::1]:${port}`,
      ]
      for (const other of [
        ...others,
        'http://evil.example',
        `http://evil.example:${port}`,
        'null',
        'file://',
      ])
        expect([other, await status(other)]).toEqual([other, 403])
      expect([await status(undefined), await status(origin)]).toEqual([200, 200])
      expect(await stop()).toBe(0)
    },
  )

  it('passes what the official conformance tests check of a server without tools for tests', async () => {
    using test = fakeHome()
    const { url, stop } = await overHttp(test.home)
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
      const args = [CONFORMANCE, 'server', '--url', url.href, '--scenario', scenario]
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: test.home })
      expect(stdout, scenario).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    }
    expect(await stop()).toBe(0)
  })

  it('says in one line what is wrong with a call', async () => {
    using test = fakeHome()
    const env = environment(test.home)
    const fails = async (...args: string[]) => {
      const { code, stderr } = await runCli(['mcp', ...args], { cwd: test.home, env })
      expect(code).toBe(2)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      return stderr
    }
    expect(await fails('--host', '0.0.0.0', '--port', '0')).toContain('PALIMPSEST_TOKEN')
    Object.assign(env, { PALIMPSEST_TOKEN: 'short' })
    expect(await fails('--host', '0.0.0.0', '--port', '0')).toContain('soon guessed')
    expect(await fails('--store', 'missing.db')).toContain('missing.db')
    test.write('half.jsonl', claudeLines('No store.'))
    expect(await fails('--store', 'half.jsonl')).toContain('half.jsonl is not a store')
    expect(await fails('--record')).toContain('--decisions')
    expect(await fails('--decisions', 'd.db')).toContain('--project')
  })
})
