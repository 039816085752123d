import {
  copyValue,
  createContextSession,
  freezeMessage,
  type Message,
  roughTokenCounter,
} from '@palimpsest/core'
import { type LcmStore, lcm } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import { Client, Pool } from 'pg'
import { inTurns, timeOf } from '../lcm/workload.ts'
import { answered } from '../speed/measure-requests.ts'
import { createSamples, mean } from '../speed/time.ts'
import { createStubModel } from '../workload/stub-model.ts'
import { createSqlFloor } from './measure-grep.ts'
import { type FilledStore, laterMessages, PRINCIPAL, sessionKey, sessionMessages } from './scale-workload.ts'

/** Costs of an agent's turns in a store of one size. Times in milliseconds. */
export type TurnFigures = ReturnType<Player['figures']>

/** Sessions that are played, spread over each store, which has so many at least. */
export const PLAYED_SESSIONS = 5
/** Turns of each that count, and turns before them. */
const TURNS = 30
const WARM_UP = 2

/** The same turns in stores of several sizes in turn, and the rows of each once more by plain statements through `client`. */
export async function measureTurns(
  stores: readonly FilledStore[],
  { client, effort }: { readonly client: Client; readonly effort: number },
): Promise<TurnFigures[]> {
  const players: Player[] = []
  for (const store of stores) players.push(await createPlayer(store, client))
  const turns = Math.ceil(TURNS * effort)
  for (let place = 0; place < PLAYED_SESSIONS; place++) {
    for (const player of players) await player.open(place)
    const later = inTurns(laterMessages({ seed: 7 }, place))
    for (let turn = -WARM_UP; turn < turns; turn++) {
      const messages = later.next().value ?? []
      const order = turn % 2 === 0 ? players : players.toReversed()
      for (const player of order) await player.play(messages, turn >= 0)
    }
  }
  for (const player of players) await player.close()
  return players.map((player) => player.figures())
}

type Player = Awaited<ReturnType<typeof createPlayer>>

async function createPlayer({ url, schema, workload, messages }: FilledStore, client: Client) {
  const { pool, meter } = createMeteredPool(url)
  const store = createPostgresStore({ pool, schema })
  const sql = createSqlFloor(client, schema)
  await store.session({ principal: PRINCIPAL, key: 'floor' }, 0)
  const floorSession = await sql.find('floor')
  const samples = createSamples<string>()
  let opened: { readonly host: Host; readonly session: string; next: number; told: number } | undefined

  return {
    async open(place: number): Promise<void> {
      await opened?.host.end()
      const number = Math.floor(((place + 0.5) * workload.sessions) / PLAYED_SESSIONS)
      const history = [...sessionMessages(workload, number)]
      const { trips } = meter
      samples.isCounting = true
      const host = await samples.time('pickUp', () => openHost(store, number, history))
      samples.add('pickUpTrips', meter.trips - trips)
      const [session, { length }] = [await sql.find(sessionKey(number)), history]
      opened = { host, session, next: length, told: length }
    },
    async play(turn: readonly Message[], counts: boolean): Promise<void> {
      if (opened === undefined) throw new Error('no session is open')
      // A message object carries what was computed from it.
      const own = turn.map((message) => freezeMessage(copyValue(message)))
      const [start, before] = [performance.now(), meter.trips]
      const isCompacted = await opened.host.play(own)
      const [elapsed, trips] = [performance.now() - start, meter.trips - before]
      const rows = await sql.rows(opened.session, opened.next)
      opened.told += turn.length
      opened.next += rows.length
      // An answer is stored with the request behind it.
      if (opened.next !== opened.told - 1)
        throw new Error(`${opened.told - 1} messages should be stored, and ${opened.next} are`)
      samples.isCounting = counts
      await samples.time('floor', () => sql.append(floorSession, rows))
      samples.add('length', turn.length)
      samples.add(isCompacted ? 'compacting' : 'turn', elapsed)
      if (!isCompacted) samples.add('trips', trips)
    },
    figures: () => ({
      messages,
      length: mean(samples.values('length')),
      turn: { ...samples.timing('turn'), mean: mean(samples.values('turn')) },
      floor: samples.timing('floor'),
      compacting: samples.timing('compacting'),
      /** Going on with a session that another worker had: until its first request can be sent. */
      pickUp: samples.timing('pickUp'),
      trips: samples.timing('trips').median,
      pickUpTrips: samples.timing('pickUpTrips').median,
    }),
    async close(): Promise<void> {
      await opened?.host.end()
      await store.close()
      await pool.end()
    },
  }
}

type Host = Awaited<ReturnType<typeof openHost>>

const CONTEXT_LENGTH = 200_000

/** Takes up a stored session until its next request could be sent. Summaries are written in the foreground, where they cost. */
async function openHost(store: LcmStore, number: number, history: readonly Message[]) {
  const session = createContextSession({
    engine: lcm,
    options: { store, principal: PRINCIPAL, soft_threshold: 0.75 },
    contextLength: CONTEXT_LENGTH,
    tokens: roughTokenCounter,
    model: createStubModel(),
    sessionId: sessionKey(number),
    clock: { now: () => timeOf(2_000_000) },
  })
  let list: readonly Message[] = (await session.prepare(history)).messages
  return {
    /** Plays a turn: each request is prepared, and its answer observed. True when something was compacted. */
    async play(turn: readonly Message[]): Promise<boolean> {
      let isCompacted = false
      let fresh: Message[] = []
      for (const message of turn) {
        if (message.role !== 'assistant') {
          fresh.push(message)
          continue
        }
        const { messages, compactions } = await session.prepare([...list, ...fresh])
        await session.observe(answered(messages, message, roughTokenCounter))
        list = [...messages, message]
        fresh = []
        isCompacted ||= compactions.some(({ outcome }) => outcome === 'compacted')
      }
      return isCompacted
    },
    end: () => session.end(),
  }
}

/** A pool that counts the round trips that a caller waits for: statements that are sent together take one. */
function createMeteredPool(url: string) {
  const meter = { trips: 0 }
  const metered = new Proxy(Client, {
    construct: (target, args) => meterClient(Reflect.construct(target, args), meter),
  })
  const options = { connectionString: url, application_name: 'palimpsest', pipeline: true }
  const pool = new Pool({ ...options, max: 4, Client: metered })
  // When a measurement fails, its server ends before its connections.
  pool.on('error', () => {})
  return { pool, meter }
}

/** A trip begins with a statement that finds nothing on its way. */
function meterClient(client: Client, meter: { trips: number }): Client {
  let [underway, isReading] = [0, false]
  const begin = (text: string): void => {
    if (text.startsWith('BEGIN')) isReading = text.includes('READ ONLY')
    // A read is over with its last row.
    if (underway++ === 0 && !(isReading && text === 'COMMIT')) meter.trips++
  }
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        if (name === 'query') begin(textOf(values[0]))
        const result = Reflect.apply(value, target, values)
        if (name !== 'query' || !(result instanceof Promise)) return result
        return result.finally(() => underway--)
      }
    },
  })
}

function textOf(query: unknown): string {
  return String(typeof query === 'object' && query !== null && 'text' in query ? query.text : query)
}
