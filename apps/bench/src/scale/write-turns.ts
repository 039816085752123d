import type { Message } from '@palimpsest/core'
import { type LcmSession, StoreError } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import { Client } from 'pg'
import { encodeAll } from '../lcm/build-store.ts'
import { timeOf } from '../lcm/sessions.ts'
import { inTurns } from '../lcm/workload.ts'
import { laterMessages, PRINCIPAL } from './scale-workload.ts'
import { createSqlTurns } from './sql-turns.ts'
import type { PreparedTask, SqlWriteTask, StoreWriteTask } from './worker-task.ts'

/** Makes ready to append turns to a session; the messages are there, and the connection is open. */
export function prepareWrite(task: StoreWriteTask | SqlWriteTask): Promise<PreparedTask> {
  return task.kind === 'write' ? prepareStore(task) : prepareSql(task)
}

/** The turns of a worker. Each message has an id, by which it can be counted afterwards. */
function turnsOf({ seed, name, turns }: StoreWriteTask): Message[][] {
  const lists = inTurns(laterMessages({ seed }, 0))
  return Array.from({ length: turns }, (_, turn) =>
    (lists.next().value ?? []).map((message, index) => ({ ...message, id: `${name}-${turn}-${index}` })),
  )
}

async function prepareStore(task: StoreWriteTask): Promise<PreparedTask> {
  const { url, schema, key } = task
  const turns = turnsOf(task)
  const store = createPostgresStore({ url, schema, poolSize: 1 })
  const session = await store.session({ principal: PRINCIPAL, key }, timeOf(0))
  return async () => {
    let [messages, conflicts] = [0, 0]
    // Its own last write tells a worker what to expect next; only a conflict makes it look.
    let { nextSeq } = await session.head()
    for (const turn of turns) {
      const written = await appendTurn(session, nextSeq, turn)
      nextSeq = written.nextSeq
      conflicts += written.conflicts
      messages += turn.length
    }
    await store.close()
    return { messages, conflicts }
  }
}

async function appendTurn(session: LcmSession, known: number, turn: readonly Message[]) {
  let nextSeq = known
  const messages = encodeAll(turn)
  for (let conflicts = 0; ; conflicts++) {
    try {
      const head = await session.append({ nextSeq, messages, at: timeOf(nextSeq) })
      return { nextSeq: head.nextSeq, conflicts }
    } catch (error) {
      if (!StoreError.isInstance(error) || error.code !== 'STORE_CONFLICT') throw error
      nextSeq = (await session.head()).nextSeq
    }
  }
}

/** The same rows by plain statements: those that a worker of the same name wrote through a store before. */
async function prepareSql({ url, schema, key, source, name }: SqlWriteTask): Promise<PreparedTask> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const sql = createSqlTurns(client, schema)
  const written = await sql.rows(await sql.find(source), 0)
  const rows = written.filter(({ host_id: id }) => String(id).startsWith(`${name}-`))
  const turns = Map.groupBy(rows, ({ host_id: id }) => String(id).split('-').at(-2))
  const session = await sql.find(key)
  return async () => {
    for (const turn of turns.values()) await sql.append(session, turn)
    await client.end()
    return { messages: rows.length, conflicts: 0 }
  }
}
