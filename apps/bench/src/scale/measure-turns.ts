import { copyValue, freezeMessage, type Message } from '@palimpsest/core'
import type { LcmStore } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import type { Client } from 'pg'
import { inTurns } from '../lcm/workload.ts'
import type { FilledStore } from './fill-store.ts'
import { createMeteredPool, type MeteredPool, since } from './metered-pool.ts'
import { type Host, hostHistory, openHost } from './open-host.ts'
import type { TurnFigures } from './scale-report.ts'
import { laterMessages, PRINCIPAL, sessionKey } from './scale-workload.ts'
import { mean, median, spread } from './spread.ts'
import { createSqlTurns, type SqlTurns } from './sql-turns.ts'

/** Sessions that are played, spread over each store, which has so many at least. */
export const PLAYED_SESSIONS = 5
/** Turns of each that count, and turns before them. */
const TURNS = 30
const WARM_UP = 2

/**
 * Plays the same turns into stores of several sizes, one after the other in turn, and writes the rows of each once more
 * by plain statements.
 *
 * @param client for looking at the server, and for the plain statements.
 */
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

interface Player {
  open(place: number): Promise<void>
  play(turn: readonly Message[], counts: boolean): Promise<void>
  figures(): TurnFigures
  close(): Promise<void>
}

async function createPlayer(
  { url, schema, workload, messages }: FilledStore,
  client: Client,
): Promise<Player> {
  const metered = createMeteredPool(url)
  const store: LcmStore = createPostgresStore({ pool: metered.pool, schema })
  const sql = createSqlTurns(client, schema)
  await store.session({ principal: PRINCIPAL, key: 'floor' }, 0)
  const floorSession = await sql.find('floor')
  const samples = createSamples()
  let opened: { readonly host: Host; readonly session: string; next: number; told: number } | undefined

  return {
    async open(place) {
      await opened?.host.end()
      const number = Math.floor(((place + 0.5) * workload.sessions) / PLAYED_SESSIONS)
      const history = hostHistory(workload, number)
      const before = metered.read()
      const start = performance.now()
      const host = await openHost(store, number, history)
      samples.pickUp.push(performance.now() - start)
      samples.pickUpTrips.push(since(before, metered.read()).trips)
      opened = {
        host,
        session: await sql.find(sessionKey(number)),
        next: history.length,
        told: history.length,
      }
    },
    async play(turn, counts) {
      if (opened === undefined) throw new Error('no session is open')
      // What is found out about a message once is remembered with it.
      const own = turn.map((message) => freezeMessage(copyValue(message)))
      const played = await timeTurn(opened.host, own, { metered, client })
      const rows = await sql.rows(opened.session, opened.next)
      opened.told += turn.length
      opened.next += rows.length
      // An answer is stored with the request behind it.
      if (opened.next !== opened.told - 1)
        throw new Error(`${opened.told - 1} messages should be stored, and ${opened.next} are`)
      const floor = await timeFloor(sql, floorSession, rows, client)
      if (!counts) return
      samples.length.push(turn.length)
      samples.floor.push(floor.elapsed)
      samples.floorLogged.push(floor.logged)
      samples[played.isCompacted ? 'compacting' : 'turn'].push(played.elapsed)
      if (played.isCompacted) return
      samples.waited.push(played.waited)
      samples.trips.push(played.trips)
      samples.transactions.push(played.transactions)
      samples.logged.push(played.logged)
    },
    figures: () => ({
      messages,
      length: mean(samples.length),
      turn: spread(samples.turn),
      waited: spread(samples.waited),
      floor: spread(samples.floor),
      compacting: spread(samples.compacting),
      pickUp: spread(samples.pickUp),
      trips: median(samples.trips),
      transactions: median(samples.transactions),
      pickUpTrips: median(samples.pickUpTrips),
      logged: mean(samples.logged),
      floorLogged: mean(samples.floorLogged),
    }),
    async close() {
      await opened?.host.end()
      await store.close()
      await metered.pool.end()
    },
  }
}

function createSamples() {
  return {
    length: [] as number[],
    turn: [] as number[],
    waited: [] as number[],
    floor: [] as number[],
    compacting: [] as number[],
    pickUp: [] as number[],
    trips: [] as number[],
    transactions: [] as number[],
    pickUpTrips: [] as number[],
    logged: [] as number[],
    floorLogged: [] as number[],
  }
}

async function timeTurn(
  host: Host,
  turn: readonly Message[],
  { metered, client }: { readonly metered: MeteredPool; readonly client: Client },
) {
  const position = await logPosition(client)
  const before = metered.read()
  const start = performance.now()
  const isCompacted = await host.play(turn)
  const elapsed = performance.now() - start
  const logged = await loggedSince(client, position)
  return { ...since(before, metered.read()), elapsed, isCompacted, logged }
}

async function timeFloor(
  sql: SqlTurns,
  session: string,
  rows: Awaited<ReturnType<SqlTurns['rows']>>,
  client: Client,
) {
  const position = await logPosition(client)
  const start = performance.now()
  await sql.append(session, rows)
  const elapsed = performance.now() - start
  return { elapsed, logged: await loggedSince(client, position) }
}

async function logPosition(client: Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_current_wal_insert_lsn() AS position')
  return rows[0].position
}

/** Bytes of the log since a position. Nobody else should write to the server meanwhile. */
async function loggedSince(client: Client, position: string): Promise<number> {
  const { rows } = await client.query('SELECT pg_current_wal_insert_lsn() - $1::pg_lsn AS bytes', [position])
  return Number(rows[0].bytes)
}
