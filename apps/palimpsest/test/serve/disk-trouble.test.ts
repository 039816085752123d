import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { runCli } from '../run-cli.ts'
import { proveService } from '../verify/kept-service.ts'
import type { Called, Caller } from './described-service.ts'
import { serveProcess } from './served-process.ts'
import { NO_DISK, smallDisk } from './small-disk.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

/** A turn of some 70 KB. */
const ask = (service: Caller, turn: number) =>
  service.post('/query', {
    session: 'shop',
    requestId: `r${turn}`,
    query: `We use Postgres ${turn} as our database ${turn}. ${'It lives in src/db.ts. '.repeat(3_000)}`,
  })

/** A refusal that says which session and which file it is about, and when to come back. */
function expectRefusal(
  { status, body, headers }: Called,
  file = 'serve.db',
  code = 'STORE_UNAVAILABLE',
): void {
  expect([status, body.error?.code]).toEqual([503, 'store'])
  expect(body.error.message).toContain(`the store ${file} cannot be used for the session "shop" (${code})`)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

async function expectDegraded(service: Caller, name: string): Promise<void> {
  const { status, body } = await service.get('/health')
  expect([status, body.status]).toEqual([503, 'degraded'])
  expect(body.reason).toContain(`the store of ${name} cannot be used (STORE_UNAVAILABLE)`)
}

describe('a disk that is full', () => {
  it('refuses the turn, is remembered by /health, and loses nothing', async ({ skip }) => {
    const disk = await smallDisk(8 << 20)
    if (disk === undefined) return skip(NO_DISK)
    const store = join(disk.folder, 'serve.db')
    const service = await startTestService({ engine: 'decisions', store })
    expect((await ask(service, 1)).status).toBe(200)
    disk.fill()
    for (let time = 0; time < 2; time++) {
      expectRefusal(await ask(service, 2))
      await expectDegraded(service, 'sessions')
      await expectDegraded(service, 'lcm')
    }
    expect(service.log.join('\n')).toContain(
      `error: there is no space left for ${store}; free some session=shop`,
    )
    disk.clear()
    expect((await service.get('/health')).body.status).toBe('ok')
    expect((await ask(service, 2)).body).toMatchObject({ turn: 2, warnings: [] })
    await service.close()
    expect((await proveService(store, disk.folder)).flatMap(({ faults }) => faults)).toEqual([])
  })

  it("lets the gateway's answers through, and is remembered all the same", async ({ skip }) => {
    const disk = await smallDisk(4 << 20)
    if (disk === undefined) return skip(NO_DISK)
    const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
    const store = join(disk.folder, 'serve.db')
    const service = await startTestService({ engine: 'lcm', store, upstream: upstream.baseUrl })
    const chat = (content: string) =>
      fetch(`${service.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'mock-large', messages: [{ role: 'user', content }] }),
      })
    expect((await chat('hello')).status).toBe(200)
    disk.fill()
    expect((await chat('another one')).status).toBe(200)
    await expectDegraded(service, 'gateway')
    await expectDegraded(service, 'lcm')
    expect(service.log.join('\n')).toMatch(/warning: a conversation was not stored .*serve\.db\.gateway/)
    disk.clear()
    expect((await service.get('/health')).body.status).toBe('ok')
  })

  it('is what a limit on the size of files is, too', async () => {
    const folder = await temporaryFolder()
    const limited = ['sh', '-c', 'ulimit -f 400; exec "$0" "$@"']
    const service = await serveProcess(folder, ['--store', 'serve.db', '--engine', 'compressor'], {}, limited)
    let refused: Called | undefined
    let turns = 0
    for (; refused === undefined && turns < 20; turns++) {
      const called = await ask(service, turns)
      if (called.status !== 200) refused = called
    }
    if (refused === undefined) throw new Error('the limit was not reached')
    expectRefusal(refused)
    await expectDegraded(service, 'sessions')
    expect(await service.end('SIGTERM')).toBe(0)
    const again = await serveProcess(folder, ['--store', 'serve.db', '--engine', 'compressor'])
    expect((await again.get('/state?session=shop')).body.turn).toBe(turns - 1)
    expect(await again.end('SIGTERM')).toBe(0)
  })
})

describe('a file that can only be read', () => {
  it('is refused at the start', async ({ skip }) => {
    const disk = await smallDisk(4 << 20)
    if (disk === undefined) return skip(NO_DISK)
    const store = join(disk.folder, 'serve.db')
    await (await startTestService({ engine: 'decisions', store })).close()
    disk.protect()
    const { code, stderr } = await runCli(['serve', '--port', '0', '--store', store])
    expect([code, stderr]).toEqual([
      2,
      `palimpsest: --store: ${store} cannot be written; check the path and its permissions\n`,
    ])
  })

  it('refuses the turns of a service that has it open', async () => {
    const connections = new Set<DatabaseSync>()
    const { prepare } = DatabaseSync.prototype
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...call: Parameters<typeof prepare>) {
      connections.add(this)
      return prepare.apply(this, call)
    } as typeof prepare
    onTestFinished(() => void Object.assign(DatabaseSync.prototype, { prepare }))
    const setReadOnly = (value: 'ON' | 'OFF') => {
      for (const connection of connections)
        if (connection.isOpen) connection.exec(`PRAGMA query_only = ${value}`)
    }
    const store = join(await temporaryFolder(), 'serve.db')
    const service = await startTestService({ engine: 'decisions', store })
    expect((await ask(service, 1)).status).toBe(200)
    setReadOnly('ON')
    expectRefusal(await ask(service, 2))
    await expectDegraded(service, 'sessions')
    setReadOnly('OFF')
    expect((await service.get('/health')).body.status).toBe('ok')
    expect((await ask(service, 2)).body.turn).toBe(2)
  })
})
