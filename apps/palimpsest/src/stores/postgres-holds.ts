import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from '@palimpsest/core'
import type { SessionHold, SessionHolds } from '@palimpsest/gateway'
import { packName } from '@palimpsest/lcm/store-kit'
import type { Database } from '@palimpsest/postgres/database'
import { type HoldRow, releaseHold, renewHold, takeHold } from './hold-row.ts'
import { keepHold } from './keep-hold.ts'

/** Milliseconds after which the hold of a worker that does not answer any more is another one's. */
export const HOLD_TIME = 30_000

/** Milliseconds: the longest pause behind the first refusal, and of all. */
const FIRST_PAUSE = 40
const LAST_PAUSE = 500

export interface PostgresHoldsOptions {
  /** Whose sessions they are. */
  readonly principal: string
  /** Milliseconds. Default `HOLD_TIME`. */
  readonly time?: number
}

/**
 * Holds for all workers on one database: rows of `SERVE_TABLES` that run out by the server's clock. Who waits asks again
 * and again, because a pooler that stands between keeps no connection for anybody.
 *
 * @param database of `SERVE_TABLES`. It stays open.
 */
export function createPostgresHolds(
  database: Database,
  { principal, time = HOLD_TIME }: PostgresHoldsOptions,
): SessionHolds {
  const scope = { principal: packName(principal) }
  const held = new Set<SessionHold>()

  const tryTake = async (name: string): Promise<SessionHold | undefined> => {
    const holder = randomUUID()
    const askedAt = performance.now()
    const token = await database.write(scope, (sql) => takeHold(sql, { principal, name }, holder, time))
    if (token === undefined) return undefined
    const row: HoldRow = { principal, name, token, holder }
    const hold = keepHold({
      token,
      name,
      time,
      askedAt,
      renew: () => database.write(scope, (sql) => renewHold(sql, row, time)),
      async giveBack() {
        held.delete(hold)
        await database.write(scope, (sql) => releaseHold(sql, row))
      },
    })
    held.add(hold)
    return hold
  }

  return {
    tryTake,
    async take(name, signal) {
      for (let tries = 0; ; tries++) {
        signal.throwIfAborted()
        const taking = tryTake(name)
        const hold = await abortable(taking, signal).catch((error: unknown) => {
          // A database that hangs may still give it out, to nobody.
          taking.then(
            (late) => late?.release(),
            () => {},
          )
          throw error
        })
        if (hold !== undefined) return hold
        const longest = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** tries)
        // Workers that wait for the same do not ask in step.
        await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
      }
    },
    async close() {
      await Promise.all([...held].map((hold) => hold.release()))
    },
  }
}
