import type { LcmStore } from '@palimpsest/lcm'
import { createPostgresStore } from '@palimpsest/postgres'
import { addSummaries } from '../lcm/add-summaries.ts'
import { encodeAll } from '../lcm/build-store.ts'
import { timeOf } from '../lcm/sessions.ts'
import { inBatches } from '../lcm/workload.ts'
import { PRINCIPAL, type ScaleWorkload, sessionKey, sessionMessages } from './scale-workload.ts'
import type { LoadTask, PreparedTask } from './worker-task.ts'

/** Messages of one append: as many as the engine writes at once. */
const BATCH = 200
/** Messages at the end of a session that no summary covers. */
const TAIL_MESSAGES = 30

/** Makes ready to fill a store in PostgreSQL with sessions. */
export async function prepareLoad({ url, schema, workload, first, end }: LoadTask): Promise<PreparedTask> {
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

/**
 * Writes sessions as an engine writes them: batch by batch, then the summaries of compactions. Returns how many messages
 * there are.
 */
export async function loadSessions(
  store: LcmStore,
  workload: ScaleWorkload,
  first: number,
  end: number,
): Promise<number> {
  let written = 0
  for (let number = first; number < end; number++) written += await loadSession(store, workload, number)
  return written
}

async function loadSession(store: LcmStore, workload: ScaleWorkload, number: number): Promise<number> {
  const session = await store.session({ principal: PRINCIPAL, key: sessionKey(number) }, timeOf(0))
  const tokens: number[] = []
  const turns: number[] = []
  for (const batch of inBatches(sessionMessages(workload, number), BATCH)) {
    const messages = encodeAll(batch)
    await session.append({ nextSeq: tokens.length, messages, at: timeOf(tokens.length) })
    for (const message of messages) {
      if (message.role === 'user') turns.push(tokens.length)
      tokens.push(message.tokens)
    }
  }
  const tail = turns.findLast((seq) => seq <= tokens.length - TAIL_MESSAGES) ?? 1
  if (tail > 1) await addSummaries(session, { tokens, coverTo: tail - 1 })
  return tokens.length
}
