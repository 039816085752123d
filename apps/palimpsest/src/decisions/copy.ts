import type { DecisionEvent, DecisionSessionInfo, DecisionStore } from '@palimpsest/decisions'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { loadConfiguration } from '../engines/configuration.ts'
import { firstLines, printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { placeOf } from '../stores/find-store-place.ts'
import { openDecisionStore } from '../stores/open-engine-store.ts'
import { isSamePlace } from '../stores/store-place.ts'
import { assertStoreThere } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { copySession, isSameSession } from './copy-session.ts'
import type { StoreFlags } from './with-store.ts'

/**
 * `palimpsest decisions copy`: everything of one store into another one, of all principals unless one is named. The exit
 * code is 1 when something is not the same at both ends then.
 */
export async function copy(from: string, to: string, flags: Omit<StoreFlags, 'store'>): Promise<number> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const place = (named: string, option: string) => placeOf(named, option, process.cwd(), configuration)
  const [source, target] = [place(from, 'the first store'), place(to, 'the second store')]
  if (isSamePlace(source, target))
    throw new UsageError(`both are ${source.name}; name another store to copy into`)
  const store = await openDecisionStore(source, 'read')
  try {
    await assertStoreThere(source, store, 'the first argument is where the decisions are')
    const { principal } = flags
    const infos = await store.list(principal === undefined ? {} : { principal })
    if (infos.length === 0)
      throw new UsageError(
        `${source.name} shows no session${principal === undefined ? '' : ` of the principal "${printable(principal)}"`}`,
      )
    const destination = await openDecisionStore(target, 'create')
    try {
      // The one written to last is listed first, and is to stay it.
      const oldest = infos.toReversed()
      const total = infos.reduce((sum, { messages }) => sum + messages, 0)
      const copied = await withProgress('copying', 'messages', (onProgress) =>
        copyDecisions(store, destination, oldest, (done) => onProgress(done, total)),
      )
      const ends = { from: source.name, to: target.name }
      if (flags.json) printJson({ ok: copied.differences.length === 0, ...ends, ...copied })
      else printLines(`${ends.from} → ${ends.to}`, ...told(copied))
      return copied.differences.length === 0 ? 0 : EXIT_FOUND
    } finally {
      await destination.close()
    }
  } finally {
    await store.close()
  }
}

function told({ sessions, messages, events, written, differences }: CopiedDecisions): string[] {
  const shown = differences.map(({ principal, session, reason }) => {
    const about =
      session === undefined ? printable(principal) : `${printable(session)} (of ${printable(principal)})`
    return `${colors.red('different')}  ${about}: ${reason}`
  })
  const same = [counted(sessions, 'session'), counted(messages, 'message'), counted(events, 'event')].join(
    ', ',
  )
  const proof = `the same in both stores: ${same}`
  return [
    ...firstLines(shown),
    `${counted(written.messages, 'new message')}, ${counted(written.events, 'new event')}`,
    differences.length === 0
      ? colors.green(proof)
      : colors.red(`${counted(differences.length, 'difference')}; ${proof}`),
  ]
}

/** Something that is not the same at both ends. */
interface CopyDifference {
  readonly principal: string
  readonly session?: string
  readonly reason: string
}

interface CopiedDecisions {
  /** Sessions and events that are the same at both ends now, and the messages of those sessions. */
  readonly sessions: number
  readonly messages: number
  readonly events: number
  readonly written: { readonly messages: number; readonly events: number }
  readonly differences: readonly CopyDifference[]
}

/**
 * Copies sessions into another store, and the log of their principals, and compares both ends. What is there is
 * continued or left as it is; whenever a copy ends, another one goes on.
 *
 * @param infos What the store lists.
 * @param onMessages Is told how many messages are done with.
 */
async function copyDecisions(
  from: DecisionStore,
  to: DecisionStore,
  infos: readonly DecisionSessionInfo[],
  onMessages: (done: number) => void,
): Promise<CopiedDecisions> {
  const done = { sessions: 0, messages: 0, events: 0 }
  const written = { messages: 0, events: 0 }
  const differences: CopyDifference[] = []
  let seen = 0
  for (const [principal, sessions] of Map.groupBy(infos, (info) => info.principal)) {
    for (const info of sessions) {
      const { key, createdAt, lastAt, messages } = info
      const source = await from.find(info)
      if (source === null) continue
      const target = await to.session(info, createdAt)
      written.messages += await copySession(source, target, lastAt)
      if (await isSameSession(source, target)) {
        done.sessions++
        done.messages += messages
      } else
        differences.push({
          ...{ principal, session: key },
          reason: 'another session of that name is there, or one of both has gone on',
        })
      seen += messages
      onMessages(seen)
    }
    const { events, added, different } = await copyEvents(from, to, principal, sessions)
    done.events += events - different.length
    written.events += added
    for (const id of different)
      differences.push({ principal, reason: `the event ${id} is another one there` })
  }
  return { ...done, written, differences }
}

interface CopiedEvents {
  readonly events: number
  /** Those that the other store did not have. */
  readonly added: number
  /** Identifiers of those that are another thing there. */
  readonly different: readonly string[]
}

/**
 * Brings the whole log of a principal to another store, in its order. An event that is there is left as it is; then both
 * logs are compared.
 *
 * @param sessions Those of the principal, at least one. They are in the other store.
 */
async function copyEvents(
  from: DecisionStore,
  to: DecisionStore,
  principal: string,
  sessions: readonly DecisionSessionInfo[],
): Promise<CopiedEvents> {
  const scopes = await from.scopes(principal)
  const read = async (store: DecisionStore): Promise<ReadonlyMap<string, DecisionEvent>> =>
    new Map((await store.events({ principal, scopes })).map(({ event }) => [event.id, event]))
  const events = await read(from)
  const before = await read(to)
  const missing = [...events.values()].filter(({ id }) => !before.has(id))
  for (const { info, run } of runsOf(missing, sessions)) {
    const session = await to.session(info, info.lastAt)
    await session.commit({ events: run }, info.lastAt)
  }
  const after = await read(to)
  const different = [...events].filter(
    ([id, event]) => JSON.stringify(event) !== JSON.stringify(after.get(id)),
  )
  return { events: events.size, added: missing.length, different: different.map(([id]) => id) }
}

interface Run {
  readonly info: DecisionSessionInfo
  readonly run: DecisionEvent[]
}

/**
 * Events in their order, with the session that they are written through: the one that they were read in. What was
 * imported may name one that was never here; its events go through the first one, which counts them then.
 */
function runsOf(events: readonly DecisionEvent[], sessions: readonly DecisionSessionInfo[]): Run[] {
  const known = new Map(sessions.map((info) => [info.key, info]))
  const runs: Run[] = []
  for (const event of events) {
    const key = event.type === 'withdrawn' ? event.session : event.source.session
    const info = known.get(key) ?? sessions[0]
    const last = runs.at(-1)
    if (info === undefined) continue
    if (last?.info === info) last.run.push(event)
    else runs.push({ info, run: [event] })
  }
  return runs
}
