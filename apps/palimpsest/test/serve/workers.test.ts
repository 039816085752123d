import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  describeWithPostgres,
  type PostgresServer,
} from '../../../../packages/postgres/test/support/postgres-server.ts'
import { databasePlace } from '../../src/stores/store-place.ts'
import { runCli } from '../run-cli.ts'
import { startFakeGemini } from './fake-gemini.ts'
import { readStore, textsIn } from './read-store.ts'
import { type ServedProcess, serveProcess } from './served-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const CLIENTS = 6
const TURNS = 10

interface Turn {
  readonly session: string
  readonly query: string
  readonly requestId: string
}

interface Told extends Turn {
  readonly turn: number
  readonly answer: string
}

/** What happened to the calls, by status and code. */
type Counts = Map<string, number>

/** Asks any worker until one answers, as somebody behind a balancer does. */
async function ask(workers: readonly ServedProcess[], turn: Turn, counts: Counts): Promise<Told> {
  for (;;) {
    const worker = workers[Math.floor(Math.random() * workers.length)]
    const called = await worker?.post('/query', turn).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined
      throw error
    })
    const outcome = called === undefined ? 'gone' : `${called.status} ${called.body.error?.code ?? ''}`.trim()
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    if (called?.status === 200) return { ...turn, turn: called.body.turn, answer: called.body.answer }
    await sleep(100)
  }
}

/** What a turn decides; no two of them the same. */
function turnOf(client: number, number: number): Turn {
  const name = `c${client}_${number}`
  // Two clients share a session.
  const session = `s${client % (CLIENTS / 2)}`
  return { session, requestId: name, query: `Rename the function load_${name} to read_${name}.` }
}

/** Every conversation is whole, holds what was acknowledged where it was said to be, and nothing twice. */
async function checkStore(url: string, told: readonly Told[]): Promise<void> {
  await readStore(databasePlace({ url }, '--store'), async (store) => {
    for (const session of new Set(told.map((turn) => turn.session))) {
      const mine = told.filter((turn) => turn.session === session)
      const turns = mine.toSorted((one, next) => one.turn - next.turn)
      expect(await textsIn(store, session)).toEqual(turns.flatMap(({ query, answer }) => [query, answer]))
    }
    expect(await store.verify()).toEqual([])
  })
}

/** As if a worker that was killed had been so for as long as its lock lasts. */
async function expireHold({ pool }: PostgresServer, session: string): Promise<void> {
  await pool.query(
    'UPDATE palimpsest.job SET until = 0 WHERE session = (SELECT no FROM palimpsest.session WHERE key = $1)',
    [session],
  )
}

describeWithPostgres(
  'several processes that serve from one database',
  (server) => {
    it('lose no turn and double none, though one is killed and the database is restarted', async () => {
      let onAsked = () => {}
      const gemini = await startFakeGemini({
        delay: () => {
          onAsked()
          return 5
        },
      })
      const folder = await temporaryFolder()
      const { url } = server
      await writeFile(
        join(folder, 'config.yaml'),
        `serve:\n  answer_model: gemini:gemini-3-flash-preview\n  base_url: ${gemini.baseUrl}\nstore:\n  url: ${url}\n`,
      )
      const serve = () => serveProcess(folder, ['--window', '32000'], { GEMINI_API_KEY: 'key' })
      const workers = await Promise.all([serve(), serve(), serve()])
      const counts: Counts = new Map()
      const told: Told[] = []
      const live = [...workers]
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let turn = 0; turn < TURNS; turn++) told.push(await ask(live, turnOf(client, turn), counts))
      })
      const reach = (turns: number) =>
        expect.poll(() => told.length, { interval: 20 }).toBeGreaterThanOrEqual(turns)

      await reach(10)
      const [killed] = live
      const lone = { session: 'lone', query: 'Rename load_lone to read_lone.', requestId: 'lone' }
      if (killed === undefined) throw new Error('a worker is there')
      const asked = new Promise<void>((resolve) => {
        onAsked = resolve
      })
      const cut = killed.post('/query', lone).catch(() => undefined)
      await asked
      onAsked = () => {}
      live.shift()
      await killed.end('SIGKILL')
      await cut
      for (const session of ['lone', 's0', 's1', 's2']) await expireHold(server, session)
      told.push(await ask(live, lone, counts))

      await reach(30)
      await server.cluster.stop()
      for (const worker of live) {
        const { status, body } = await worker.get('/health')
        expect([status, body.status]).toEqual([503, 'degraded'])
      }
      const meanwhile = ask(live, turnOf(CLIENTS, 0), counts)
      const late = await runCli(['serve', '--port', '0'], { cwd: folder, env: { GEMINI_API_KEY: 'key' } })
      expect([late.code, late.stdout]).toEqual([2, ''])
      expect(late.stderr).toMatch(/^palimpsest: the store .* cannot be used: .* cannot be reached .*\n$/)
      // A call is tried for about two seconds before it is refused.
      await expect.poll(() => counts.get('503 store') ?? 0).toBeGreaterThan(0)
      await server.cluster.start()
      for (const worker of live) await expect.poll(async () => (await worker.get('/health')).status).toBe(200)
      await Promise.all(clients)
      told.push(await meanwhile)

      for (const { answer, turn, ...given } of told.filter((_, index) => index % 10 === 0))
        expect((await live[turn % 2]?.post('/query', given))?.body).toMatchObject({
          answer,
          turn,
          repeated: true,
        })
      for (const worker of live) expect(await worker.end('SIGTERM')).toBe(0)
      await checkStore(url, told)
    })
  },
  'cluster',
)
