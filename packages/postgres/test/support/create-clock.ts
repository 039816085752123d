import type { PostgresServer } from './postgres-server.ts'

/** Stops the clock of a store at times, in milliseconds since the epoch. Tests alone have a reason to. */
export function createClock(
  { pool }: PostgresServer,
  schema: string,
  store: 'lcm' | 'decisions',
): (time: number) => Promise<void> {
  let done: Promise<unknown> = Promise.resolve()
  // One after the other: the server refuses to replace a function twice at once.
  return async (time) => {
    done = done.then(() =>
      pool.query(
        `CREATE OR REPLACE FUNCTION ${schema}.${store}_clock() RETURNS double precision LANGUAGE sql VOLATILE
           AS 'SELECT (${time})::double precision'`,
      ),
    )
    await done
  }
}
