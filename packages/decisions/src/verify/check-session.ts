import type { SourceMessage } from '../candidates/source-message.ts'
import type { SaidEvent } from '../log/decision-event.ts'
import type { DecisionSession } from '../store/decision-store.ts'
import { type EventFault, type Finding, sourceFault } from './check-events.ts'
import { addTo } from './check-log.ts'

/** Messages that are read at a time. */
const PAGE = 500

export interface SessionCheck {
  readonly sources: number
  readonly faults: readonly (Finding | EventFault)[]
}

/**
 * Every message of a session is there once and in its place, what refers to messages refers to some that are there, and
 * what events quote stands in them.
 */
export async function checkSession(
  session: DecisionSession,
  events: readonly SaidEvent[],
): Promise<SessionCheck> {
  const faults: (Finding | EventFault)[] = []
  const count = await session.count()
  const quoting = new Map<number, SaidEvent[]>()
  for (const event of events) addTo(quoting, event.source.message, event)
  for (let from = 0; from < count; from += PAGE) {
    const to = Math.min(from + PAGE, count)
    const page = new Map((await session.sources({ from, to })).map((source) => [source.message, source]))
    for (let index = from; index < to; index++) {
      if (!page.has(index)) faults.push({ code: 'message-missing', message: `message ${index} is not there` })
      checkQuotes(quoting.get(index), page.get(index))
      quoting.delete(index)
    }
  }
  for (const behind of quoting.values()) checkQuotes(behind, undefined)
  faults.push(...(await checkRest(session, count)))
  return { sources: count, faults }

  function checkQuotes(said: readonly SaidEvent[] | undefined, message: SourceMessage | undefined): void {
    for (const { id, source } of said ?? []) {
      const fault = sourceFault(source, message)
      if (fault !== undefined) faults.push({ ...fault, event: id })
    }
  }
}

async function checkRest(session: DecisionSession, count: number): Promise<Finding[]> {
  const faults: Finding[] = []
  for (const { message, path } of await session.artifacts())
    if (message >= count)
      faults.push({
        code: 'artifact-beyond',
        message: `${path} was touched in message ${message}, which is not there`,
      })
  for (const { id, from, to } of await session.pendingJobs())
    if (from >= to || to > count)
      faults.push({ code: 'job-beyond', message: `the job ${id} is about messages that are not there` })
  const summary = await session.summary()
  if (summary !== null && summary.messages > count)
    faults.push({ code: 'summary-beyond', message: `the summary stands for more than the ${count} messages` })
  return faults
}
