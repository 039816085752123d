import {
  createDecisionLedger,
  type DecisionEvent,
  fromMadr,
  type ImportedFile,
  type KeptFile,
  type MadrFile,
  type Scope,
} from '@palimpsest/decisions'
import { UsageError } from '../usage-error.ts'
import type { RecordsInput } from './find-input.ts'
import type { Imported } from './imported.ts'
import { recordName } from './record-session.ts'
import type { OpenedStore } from './with-store.ts'

/**
 * Writes records and what they decide into a store. Each file is kept as a session of one message, so that what is quoted
 * from it can be proved; a file that has changed since takes the place of what it was.
 *
 * @throws UsageError when no file is a record.
 */
export async function storeRecords(
  opened: OpenedStore,
  { files, shelf }: RecordsInput,
  scope: Scope,
): Promise<Imported> {
  const { store, principal } = opened
  const at = Date.now()
  const named = files.map(({ fileName, text }) => ({ fileName: recordName(scope, fileName), text }))
  const stored = (await store.events({ principal, scopes: [scope] })).map(({ event }) => event)
  const kept = await keptFiles(opened, named, stored)
  const {
    events,
    files: records,
    unchanged,
    warnings,
  } = fromMadr(named, {
    ...{ scope, at, kept },
    decisions: createDecisionLedger(stored),
    shelf: shelf.map((record) => ({ ...record, fileName: recordName(scope, record.fileName) })),
  })
  if (records.length === 0 && unchanged === 0)
    throw new UsageError(`no record of a decision was found: ${warnings[0] ?? 'there is no file'}`)

  const ids = new Set(stored.map(({ id }) => id))
  const beginnings = new Map(
    events.flatMap((event) => (isEnd(event) ? [] : [[event.source.session, event] as const])),
  )
  const ends = events.filter(isEnd)
  for (const { session, source, withdrawal } of records) {
    const beginning = beginnings.get(session)
    const target = await store.session({ principal, key: session }, at)
    const isNew = (await target.count()) === 0
    await target.commit(
      {
        ...(withdrawal !== undefined && { replaceFrom: 0 }),
        ...((isNew || withdrawal !== undefined) && { sources: [source] }),
        events: [
          ...(withdrawal === undefined ? [] : [withdrawal]),
          ...(beginning === undefined ? [] : [beginning]),
        ],
      },
      at,
    )
  }
  await storeEnds(opened, records, ends, at)
  const all: readonly DecisionEvent[] = [...records.flatMap(({ withdrawal }) => withdrawal ?? []), ...events]
  const added = all.filter(({ id }) => !ids.has(id)).length
  return { scope, added, known: all.length - added, unchanged, warnings }
}

function isEnd({ type }: DecisionEvent): boolean {
  return type === 'superseded' || type === 'retracted'
}

/** Ends come behind everything that is decided: a log takes no link to what it does not know yet. */
async function storeEnds(
  { store, principal }: OpenedStore,
  [first]: readonly ImportedFile[],
  events: readonly DecisionEvent[],
  at: number,
): Promise<void> {
  if (first === undefined || events.length === 0) return
  const target = await store.session({ principal, key: first.session }, at)
  await target.commit({ events }, at)
}

async function keptFiles(
  { store, principal }: OpenedStore,
  files: readonly MadrFile[],
  events: readonly DecisionEvent[],
): Promise<ReadonlyMap<string, KeptFile>> {
  const editions = new Map<string, number>()
  for (const event of events) if (event.type === 'withdrawn') editions.set(event.session, event.edition + 1)
  const kept = new Map<string, KeptFile>()
  for (const { fileName } of files) {
    const key = `file:${fileName}`
    const session = await store.find({ principal, key })
    const [source] = (await session?.sources({ from: 0, to: 1 })) ?? []
    if (source !== undefined) kept.set(key, { hash: source.hash, edition: editions.get(key) ?? 0 })
  }
  return kept
}
