import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageText } from '@palimpsest/core'
import { verifyDecisions } from '@palimpsest/decisions'
import { createSqliteDecisionStore } from '@palimpsest/decisions/sqlite'
import { verifyStore } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { expect, it } from 'vitest'
import { openServiceStore } from '../../src/serve/store/open-service-store.ts'
import { filePlace } from '../../src/stores/store-place.ts'
import { startFakeGemini } from './fake-gemini.ts'
import { type ServedProcess, serveProcess } from './served-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** How long the clients are at it, kills included. A minute is what a release is tried with. */
const SECONDS = Number(process.env.PALIMPSEST_KILL_SECONDS ?? 3)
const CLIENTS = 8
/** However slow the machine is. */
const LEAST_KILLS = 3
/**
 * When to kill, in turns: so many answers of the model after the start, and so many milliseconds later. A turn is
 * stored within a few milliseconds of its answer.
 */
const KILLS = [
  { answers: 1, ms: 0 },
  { answers: 60, ms: 1 },
  { answers: 25, ms: 3 },
  { answers: 9, ms: 2 },
  { answers: 150, ms: 0 },
  { answers: 3, ms: 8 },
] as const

interface Turn {
  readonly session: string
  readonly query: string
  readonly requestId: string
}

/** A caller, over all lives of the service. */
interface Client {
  readonly number: number
  /** What it does not know to be kept. */
  pending: Turn | undefined
  readonly told: Told[]
  /** How often it learned that a turn was kept whose answer it never got. */
  surprises: number
}

/** Asks until the service is gone. */
async function talk(service: ServedProcess, client: Client): Promise<void> {
  for (;;) {
    const ask = client.pending ?? nextAsk(client)
    client.pending = ask
    const called = await service.post('/query', ask).catch((error: unknown) => {
      // The connection broke: nobody knows whether the turn is kept, so it is asked again under its id.
      if (error instanceof TypeError) return undefined
      throw error
    })
    if (called === undefined) return
    expect(called.status).toBe(200)
    hear(client, ask, called.body)
  }
}

function hear(client: Client, ask: Turn, body: { turn: number; answer: string; repeated?: true }): void {
  client.told.push({ ...ask, turn: body.turn, answer: body.answer })
  client.pending = undefined
  if (body.repeated) client.surprises++
}

interface Told extends Turn {
  readonly turn: number
  readonly answer: string
}

/** Two of each three clients share their session with another one. */
function nextAsk({ number, told }: Client): Turn {
  const requestId = `c${number}-${told.length}`
  return {
    session: `s${number % 5}`,
    requestId,
    query: `Rename the function load_${requestId.replace('-', '_')} to ${decidedBy(requestId)}.`,
  }
}

/** What a turn decides; no two of them the same. */
function decidedBy(requestId: string): string {
  return `read_${requestId.replace('-', '_')}`
}

it(
  'loses no turn and no decision that it acknowledged, however often it is killed',
  async () => {
    let answers = 0
    let onAnswered = () => {}
    const gemini = await startFakeGemini({ delay: () => (answers++ % 4) * 3, onAnswered: () => onAnswered() })
    const folder = await temporaryFolder()
    const path = join(folder, 'serve.db')
    await writeFile(
      join(folder, 'config.yaml'),
      `serve:\n  answer_model: gemini:gemini-3-flash-preview\n  base_url: ${gemini.baseUrl}\n`,
    )
    const start = () =>
      serveProcess(folder, ['--store', path, '--window', '32000'], {
        GEMINI_API_KEY: 'key',
      })
    const clients = Array.from({ length: CLIENTS }, (_, number): Client => {
      return { number, pending: undefined, told: [], surprises: 0 }
    })
    const acknowledged = () => clients.flatMap(({ told }) => told)
    const until = Date.now() + SECONDS * 1_000
    let kills = 0

    do {
      const service = await start()
      const { answers: wanted, ms } = KILLS[kills % KILLS.length] ?? KILLS[0]
      const target = answers + wanted
      const killed = new Promise<void>((resolve) => {
        onAnswered = () => {
          if (answers >= target) setTimeout(() => resolve(service.end('SIGKILL').then(() => {})), ms)
        }
      })
      const talking = clients.map((client) => talk(service, client))
      await killed
      onAnswered = () => {}
      kills++
      await Promise.all(talking)
      await checkRecord(path, acknowledged())
      await checkEngine(path)
    } while (kills < LEAST_KILLS || Date.now() < until)

    const service = await start()
    for (const client of clients) {
      const { pending } = client
      if (pending === undefined) continue
      const { status, body } = await service.post('/query', pending)
      expect(status).toBe(200)
      hear(client, pending, body)
    }
    for (const { answer, turn, ...ask } of acknowledged().filter((_, index) => index % 10 === 0))
      expect((await service.post('/query', ask)).body).toMatchObject({ answer, turn, repeated: true })
    const decided = await checkDecisions(service, acknowledged())
    expect(await service.end('SIGTERM')).toBe(0)
    await checkRecord(path, acknowledged())
    await checkEngine(path)

    const surprises = clients.reduce((sum, client) => sum + client.surprises, 0)
    console.log(
      `${kills} kills under ${CLIENTS} clients; ${acknowledged().length} turns acknowledged, none lost, ` +
        `${surprises} of them stored by a life that was killed before it could say so; ${decided} decisions, none lost`,
    )
    expect(acknowledged().length).toBeGreaterThan(CLIENTS)
  },
  (SECONDS + 180) * 1_000,
)

/** The transcript of every session is whole, holds what was acknowledged where it was said to be, and nothing twice. */
async function checkRecord(path: string, acknowledged: readonly Told[]): Promise<void> {
  const store = await openServiceStore(filePlace(path))
  try {
    const transcripts = new Map<string, string[]>()
    for (const session of new Set(acknowledged.map((told) => told.session))) {
      const record = await store.find(session)
      const messages = await store.messages(record?.no ?? 0)
      expect(messages.map(({ role }) => role)).toEqual(
        Array.from({ length: (record?.turns ?? 0) * 2 }, (_, index) =>
          index % 2 === 0 ? 'user' : 'assistant',
        ),
      )
      const texts = messages.map(messageText)
      const questions = texts.filter((_, index) => index % 2 === 0)
      expect(new Set(questions).size).toBe(questions.length)
      transcripts.set(session, texts)
    }
    const lost = acknowledged.filter(({ session, turn, query, answer }) => {
      const texts = transcripts.get(session) ?? []
      return texts[turn * 2 - 2] !== query || texts[turn * 2 - 1] !== answer
    })
    expect(lost).toEqual([])
  } finally {
    await store.close()
  }
}

/** What each acknowledged turn decided still holds. Returns how many that are. */
async function checkDecisions(service: ServedProcess, acknowledged: readonly Told[]): Promise<number> {
  const active = new Set<string>()
  for (const session of new Set(acknowledged.map((told) => told.session))) {
    const { body } = await service.get(`/state?session=${session}`)
    for (const { choice, status } of body.decisions.structure) if (status === 'active') active.add(choice)
  }
  const lost = acknowledged.filter(({ requestId }) => !active.has(decidedBy(requestId)))
  expect(lost).toEqual([])
  return active.size
}

/** What the engines stored is sound. */
async function checkEngine(path: string): Promise<void> {
  const messages = createSqliteStore({ path: `${path}.decisions.lcm` })
  expect(await verifyStore(messages)).toEqual([])
  await messages.close()
  const decisions = createSqliteDecisionStore({ path: `${path}.decisions` })
  expect((await verifyDecisions(decisions)).faults).toEqual([])
  await decisions.close()
}
