import { fork } from 'node:child_process'
import { once } from 'node:events'
import { errorText, type Message } from '@palimpsest/core'
import { type LcmSession, type LcmStore, StoreError } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import { Client } from 'pg'
import { addSummaries, encodeAll, fillSession } from '../lcm/fill-store.ts'
import { inTurns, timeOf } from '../lcm/workload.ts'
import { createSqlFloor } from './measure-grep.ts'
import {
  laterMessages,
  PRINCIPAL,
  type ScaleWorkload,
  type StoreAddress,
  sessionKey,
  sessionMessages,
} from './scale-workload.ts'

/** Fills a store with some of its sessions: from the number `first` to the one before `end`. */
type LoadTask = StoreAddress &
  Record<'first' | 'end', number> & { readonly kind: 'load'; readonly workload: ScaleWorkload }

/**
 * Appends turns to a session as fast as it can. `key`: the host's id of it; several workers may share one. `name`: different for
 * each worker of a run: begins the ids of its messages.
 */
type StoreWriteTask = StoreAddress &
  Record<'seed' | 'turns', number> &
  Record<'key' | 'name', string> & { readonly kind: 'write' }

/** Appends the rows that the worker `name` wrote through a store to `source` to another session, by plain statements. */
type SqlWriteTask = StoreAddress & Record<'key' | 'source' | 'name', string> & { readonly kind: 'write-sql' }

type WorkerTask = LoadTask | StoreWriteTask | SqlWriteTask

/** An order to a worker: a task to prepare for, and then to begin. */
type WorkerOrder = WorkerTask | 'go'

type WorkerResult = { readonly messages: number; readonly conflicts: number }

type PreparedTask = () => Promise<WorkerResult>

/** The answer of a worker: that it is prepared, or what it has done. */
type WorkerReport = WorkerResult | { readonly failure: string }

/** The work of a process until its parent lets it go: it takes a task, says that it is prepared, and begins when it is told to. */
export function runWorker(): void {
  let start: PreparedTask | undefined
  const work = async (order: WorkerOrder): Promise<WorkerResult> => {
    if (order === 'go' && start !== undefined) return start()
    if (order !== 'go') start = await prepare(order)
    return { messages: 0, conflicts: 0 }
  }
  process.on('message', (order: WorkerOrder) => {
    void work(order)
      .catch((error: unknown): WorkerReport => ({ failure: errorText(error) }))
      .then((report) => process.send?.(report))
  })
}

function prepare(task: WorkerTask): Promise<PreparedTask> {
  if (task.kind === 'load') return prepareLoad(task)
  return task.kind === 'write' ? prepareStore(task) : prepareSql(task)
}

/** Messages of one append: as many as the engine writes at once. */
const BATCH = 200

/** Makes ready to fill a store in PostgreSQL with sessions. */
async function prepareLoad({ url, schema, workload, first, end }: LoadTask): Promise<PreparedTask> {
  // Others build indexes or write at the same time.
  const store = createPostgresStore({ url, schema, poolSize: 1, statementTimeout: 600_000 })
  return async () => {
    try {
      return { messages: await loadSessions(store, workload, first, end), conflicts: 0 }
    } finally {
      await store.close()
    }
  }
}

/** Writes sessions batch by batch, then the summaries of compactions. Returns how many messages there are. */
async function loadSessions(
  store: LcmStore,
  workload: ScaleWorkload,
  first: number,
  end: number,
): Promise<number> {
  let written = 0
  for (let number = first; number < end; number++) {
    const session = await store.session({ principal: PRINCIPAL, key: sessionKey(number) }, timeOf(0))
    const filled = await fillSession(session, sessionMessages(workload, number), { batch: BATCH })
    if (filled.coverTo > 0) await addSummaries(filled)
    written += filled.tokens.length
  }
  return written
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
  const sql = createSqlFloor(client, schema)
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

export type Worker = ReturnType<typeof startWorker>

/** Starts another process of this program. Tasks go to it by message: an address may hold a password. */
export function startWorker(program: string) {
  const child = fork(program, ['scale-worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`a worker ended with ${code}`)
  })
  ended.catch(() => {})
  const tell = async (order: WorkerOrder): Promise<WorkerResult> => {
    const answer = once(child, 'message')
    child.send(order)
    const [report]: WorkerReport[] = await Promise.race([answer, ended])
    if (report === undefined || 'failure' in report) throw new Error(`a worker failed: ${report?.failure}`)
    return report
  }
  return {
    /** Resolves when everything is done that comes before the first statement that counts. */
    prepare: (task: WorkerTask) => tell(task),
    /** Does the task that it is prepared for. */
    run: () => tell('go'),
    /** Lets the process end. */
    end() {
      if (child.connected) child.disconnect()
    },
  }
}

/** Does a task in each of some workers at the same time. Returns what was done, and how long it took in milliseconds. */
export async function runTogether(workers: readonly Worker[], taskOf: (index: number) => WorkerTask) {
  await Promise.all(workers.map((worker, index) => worker.prepare(taskOf(index))))
  const start = performance.now()
  const results = await Promise.all(workers.map((worker) => worker.run()))
  return { results, elapsed: performance.now() - start }
}
