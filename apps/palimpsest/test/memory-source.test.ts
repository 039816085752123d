import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeService, KEY, type Protocol } from '../../../packages/decisions/test/memories/fake-service.ts'
import { mem0, zep } from '../../../packages/decisions/test/memories/protocols.ts'
import { chooseEngine } from '../src/engines/choose-engine.ts'
import { loadConfiguration } from '../src/engines/configuration.ts'
import { memorySource } from '../src/engines/memory-source.ts'
import { openSession } from '../src/engines/open-session.ts'
import { runCli } from './run-cli.ts'

const SERVICES: readonly [service: string, key: string, protocol: () => Protocol][] = [
  ['mem0', 'MEM0_API_KEY', () => mem0],
  ['zep', 'ZEP_API_KEY', zep],
]
const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  for (const [, key] of SERVICES) delete process.env[key]
})

async function folderWith(config: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-memory-'))
  folders.push(folder)
  await writeFile(join(folder, 'config.yaml'), config)
  return folder
}

/** A session as the commands open it. */
async function sessionIn(folder: string, sessionId: string) {
  const configuration = await loadConfiguration(undefined, folder)
  const chosen = await chooseEngine(configuration, {})
  const { session } = await openSession(configuration, {}, chosen, { sessionId, contextLength: 16_000 })
  return session
}

describe.each(SERVICES)('config.yaml with the memory %s', (service, key, protocol) => {
  const configAt = (baseUrl: string, more = '') =>
    `context: { engine: decisions }\ndecisions:\n  compaction: own\n  ${more}\n  memory: { service: ${service}, container: shop, base_url: '${baseUrl}' }\n`

  it('sends what is decided there, and shows it to another session', async () => {
    await using server = await fakeService(protocol())
    process.env[key] = KEY
    const folder = await folderWith(configAt(server.baseUrl))
    const first = await sessionIn(folder, 'first')
    const said = [{ role: 'user' as const, content: "Let's use Postgres for the database." }]
    await first.prepare(said)
    await first.callTool('decisions_record', {
      ...{ subject: 'database', value: 'Postgres', quote: "Let's use Postgres" },
    })
    await first.observe({ message: { role: 'assistant', content: 'Fine.' } })
    await first.end()
    expect(server.kept.map(({ container, text }) => [container, text.split('\n')[0]])).toEqual([
      ['shop', expect.stringMatching(/^Decided: .*Postgres/)],
    ])

    const second = await sessionIn(folder, 'second')
    const secret = `sk-ant-api03-${'a1B2c3D4'.repeat(10)}`
    const query = `Which database do we use? My key is ${secret}.`
    const { messages } = await second.prepare([{ role: 'user', content: query }])
    expect(JSON.stringify(messages)).toMatch(/<external_memory>.*Postgre.*<\/external_memory>/)
    expect(JSON.stringify(server.requests)).not.toContain(secret)
    await second.end()
  })

  it('keeps the decisions of two principals in two containers', async () => {
    await using server = await fakeService(protocol())
    const value = { service, container: 'shop', base_url: server.baseUrl }
    const published = [{ id: 'd1', text: 'Decided: MySQL', session: 's' }]
    for (const principal of ['ann', 'bob', undefined])
      await (await memorySource(value, { principal }, { [key]: KEY })).publish(published, {
        signal: AbortSignal.timeout(9_000),
      })
    const containers = server.kept.map(({ container }) => container)
    expect(new Set(containers).size).toBe(3)
    expect(containers).toContain('shop')
  })

  it('says which key of the environment is missing', async () => {
    await expect(memorySource({ service }, {}, {})).rejects.toThrow(key)
  })
})

describe('a memory in config.yaml that cannot be used', () => {
  it.each([
    ['service: mem1', /decisions\.memory\.service/],
    ['service: zep, key: abc', /decisions\.memory.*key/],
    ['service: zep, base_url: nowhere', /decisions\.memory\.base_url/],
    ['service: zep, container: "a b"', /decisions\.memory\.container/],
    ['service: zep, timeout: 0', /decisions\.memory\.timeout/],
  ])('is told with its place: %s', async (memory, message) => {
    const folder = await folderWith(`context: { engine: decisions }\ndecisions: { memory: { ${memory} } }\n`)
    process.env.ZEP_API_KEY = KEY
    await expect(sessionIn(folder, 's')).rejects.toThrow(message)
  })

  it('asks for a container when the name of the project is none', async () => {
    await expect(
      memorySource({ service: 'zep' }, { project: 'my shop' }, { ZEP_API_KEY: KEY }),
    ).rejects.toThrow(/needs a container of its own/)
  })
})

it('sends nothing of a recording that is replayed', async () => {
  await using server = await fakeService(mem0)
  const folder = await folderWith(
    `context: { engine: decisions }\ndecisions: { compaction: own, memory: { service: mem0, base_url: '${server.baseUrl}' } }\n`,
  )
  const messages = [
    { role: 'user', content: "Let's use Postgres for the database." },
    { role: 'assistant', content: 'Fine.' },
  ]
  await writeFile(join(folder, 'session.json'), JSON.stringify(messages))
  const { code, stderr } = await runCli(['replay', 'session.json'], {
    cwd: folder,
    env: { MEM0_API_KEY: KEY },
  })
  expect({ code, stderr: stderr.replace(/GEMINI_API_KEY.*\n/, '') }).toMatchObject({ code: 0 })
  expect(server.requests).toEqual([])
})
