import { join } from 'node:path'
import {
  type ContextSession,
  createContextSession,
  createPause,
  equalValues,
  type Message,
} from '@palimpsest/core'
import { createSqliteDecisionStore } from '@palimpsest/decisions/sqlite'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Engine } from '../arms/engines.ts'
import { createScratchFolder } from '../lcm/scratch-folder.ts'
import { inTurns, lcmWorkload, SESSION } from '../lcm/workload.ts'
import type { Progress } from '../progress.ts'
import { createStubModel } from '../workload/stub-model.ts'
import { collectGarbage } from './collect-garbage.ts'
import { SUBJECTS } from './measure-requests.ts'
import { cpuTime, createSamples } from './time.ts'

/** Sessions of each engine at each length, in one run. */
export type SessionReport = Awaited<ReturnType<typeof runSession>>

interface SessionRunInput {
  readonly seed: number
  /** Messages of the histories. */
  readonly sizes: readonly number[]
  /** Turns that are measured at each. Default 30. */
  readonly turns?: number
  readonly folder: string
  readonly progress: Progress
}

export async function runSession({ seed, sizes, turns = 30, folder, progress }: SessionRunInput) {
  const rows: SessionFigures[] = []
  // The one over lcm is the sum of both.
  for (const engine of SUBJECTS.filter(({ name }) => !name.includes(' over ')))
    for (const size of sizes.toSorted((a, b) => a - b)) {
      progress.step(`a session of ${engine.name}, ${size} messages`)
      const scratch = createScratchFolder(folder)
      try {
        rows.push(await measureSession({ engine, seed, size, turns, folder: scratch.path }))
      } finally {
        scratch.remove()
      }
    }
  progress.end()
  return { seed, rows }
}

interface SessionInput {
  readonly engine: Pick<Engine, 'name' | 'engine'>
  readonly seed: number
  /** Messages of the history. */
  readonly size: number
  /** Turns that are measured. */
  readonly turns: number
  /** An empty folder for the store. */
  readonly folder: string
}

/** Milliseconds of the processor, and bytes. */
export type SessionFigures = Awaited<ReturnType<typeof measureSession>>

const CONTEXT_LENGTH = 200_000

/**
 * A session as a host uses it, with its whole list in each call and an engine with a store in a file: the first call with
 * a list that is new to all, turns, the same with a list that is parsed anew, and the first call after a restart.
 */
async function measureSession({ engine, seed, size, turns, folder }: SessionInput) {
  const list: Message[] = []
  const later: Message[][] = []
  for (const turn of inTurns(lcmWorkload(seed, size).messages)) list.push(...copied(turn))
  // The same for each length: turns differ among themselves.
  for (const turn of inTurns(lcmWorkload(seed + 1, 100 * turns).messages))
    if (later.length < turns) later.push(copied(turn.filter(({ role }) => role !== 'system')))
  const { length } = list
  const opened = openSession(engine, folder)
  const held = await heldHeap()
  const first = await timed(() => opened.session.prepare(list))
  const samples = await playTurns(opened.session, list, later)
  const memory = (await heldHeap()) - held
  await timeParsed(opened.session, list, samples)
  await opened.end()
  const again = openSession(engine, folder)
  const restart = await timed(() => again.session.prepare(list))
  await again.end()
  const read = engine.name === 'lcm' ? await timed(() => readAndCompare(folder, list)) : undefined
  return {
    ...{ engine: engine.name, messages: length, first, restart, read, memory },
    turn: samples.timing('turn').median,
    parsed: samples.timing('parsed').median,
    stringify: samples.timing('stringify').median,
  }
}

/** The host's own objects, which it might change. */
const copied = (messages: readonly Message[]): Message[] => JSON.parse(JSON.stringify(messages))

function openSession({ engine, name }: SessionInput['engine'], folder: string) {
  const store =
    name === 'lcm'
      ? createSqliteStore({ path: join(folder, 'lcm.db') })
      : name === 'decisions'
        ? createSqliteDecisionStore({ path: join(folder, 'decisions.db') })
        : undefined
  const session = createContextSession({
    engine,
    ...(store && { options: { store } }),
    contextLength: CONTEXT_LENGTH,
    tokens: createTokenCounter(),
    sessionId: SESSION.key,
    model: createStubModel(),
  })
  let failure: string | undefined
  session.subscribe((event) => {
    if (event.type === 'warning' && event.warning.code === 'engine-failed') failure ??= event.warning.message
  })
  return {
    session,
    async end() {
      await session.end()
      await store?.close()
      if (failure !== undefined) throw new Error(`a session without its engine is no measure: ${failure}`)
    },
  }
}

/** Turns of about five messages: the host asks with its list for each message of the assistant, and appends all of them. */
async function playTurns(session: ContextSession, list: Message[], turns: readonly Message[][]) {
  const samples = createSamples<'turn' | 'parsed' | 'stringify'>(cpuTime)
  for (const turn of turns) {
    const start = cpuTime()
    for (const message of turn) {
      if (message.role === 'assistant') {
        const { tokens } = await session.prepare(list)
        const usage = { promptTokens: tokens, completionTokens: 100, totalTokens: tokens + 100 }
        await session.observe({ message, usage })
      }
      list.push(message)
    }
    samples.add('turn', cpuTime() - start)
  }
  return samples
}

/** Message by message: no text holds a whole long list. */
async function timeParsed(
  session: ContextSession,
  list: readonly Message[],
  samples: Awaited<ReturnType<typeof playTurns>>,
): Promise<void> {
  await session.prepare(list)
  for (let round = 0; round < 5; round++) {
    const texts = await samples.time('stringify', () => list.map((message) => JSON.stringify(message)))
    const parsed = texts.map((text): Message => JSON.parse(text))
    await samples.time('parsed', () => session.prepare(parsed))
  }
}

/** The floor of a restart: every message is read from the store and compared. */
async function readAndCompare(folder: string, list: readonly Message[]): Promise<void> {
  const store = createSqliteStore({ path: join(folder, 'lcm.db') })
  const session = await store.session(SESSION_OF_HOST, 0)
  const pause = createPause()
  for (let first = 0; first < list.length; ) {
    const page = await session.messages({ first, limit: 500 })
    for (const { seq, json } of page)
      if (!equalValues(JSON.parse(json), list[seq])) throw new Error(`message ${seq} is stored differently`)
    first = (page.at(-1)?.seq ?? list.length) + 1
    await pause()
  }
  await store.close()
}

const SESSION_OF_HOST = { principal: 'local', key: SESSION.key }

/** Milliseconds of the processor: of all, and the most between two turns of the event loop. */
async function timed(run: () => Promise<unknown>) {
  let [turn, blocked] = [threadTime(), 0]
  const endTurn = () => {
    const now = threadTime()
    blocked = Math.max(blocked, now - turn)
    turn = now
  }
  const turns = setInterval(endTurn, 1)
  const start = cpuTime()
  await run()
  const cpu = cpuTime() - start
  clearInterval(turns)
  endTurn()
  return { cpu, blocked }
}

/** That of the thread which has the event loop: on a busy machine a clock on the wall shows how long others had the processor. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Bytes of the heap in use after all garbage is gone. */
async function heldHeap(): Promise<number> {
  await collectGarbage()
  return process.memoryUsage().heapUsed
}
