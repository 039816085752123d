import type { DecisionSet } from '../../log/decision.ts'
import type { SaidEvent, Scope } from '../../log/decision-event.ts'
import { hashText } from '../../log/hash-text.ts'
import { addTo } from '../../verify/check-log.ts'
import {
  type Draft,
  draftRecord,
  editEvent,
  type ImportedFile,
  retraction,
  sessionOf,
  successionEvent,
} from './draft-record.ts'
import { createKnown } from './find-known.ts'
import { type LinkedRecord, linkRecords, type ShelvedRecord, type Succession } from './link-records.ts'
import { MAX_MADR_FILES, type MadrFile } from './madr-file.ts'
import { type DecisionRecord, readRecord } from './read-record.ts'

export interface FromMadrInput {
  readonly scope: Scope
  /** Milliseconds since the epoch, for files without a date. */
  readonly at: number
  /** Sources of files that were imported before, by session. */
  readonly kept?: ReadonlyMap<string, KeptFile>
  /**
   * The log of the scope: what it has already is affirmed by a record, and not decided once more. A record that was
   * written from it (`toMadr`) says something once it was edited, and takes the place of what it said then.
   */
  readonly decisions?: DecisionSet
  /** Records beside those that are read, and the decisions that they are of: links may lead to them. */
  readonly shelf?: readonly ShelvedRecord[]
}

/** A file as a store has it. */
export interface KeptFile {
  /** `SourceMessage.hash` of its text. */
  readonly hash: string
  /** Number of times that it had been changed and imported again. */
  readonly edition: number
}

export interface FromMadrResult {
  /** In the order in which a log takes them: what is decided, then what is over. */
  readonly events: readonly SaidEvent[]
  readonly files: readonly ImportedFile[]
  /** Records that are as they were written from this log, which say nothing new. */
  readonly unchanged: number
  /** The parts that were passed over and why, for people. */
  readonly warnings: readonly string[]
}

/** Beginning of the name of a record's session. */
const FILE = 'file:'

/** Warnings that are given; a folder with other things than records would have thousands. */
const MAX_WARNINGS = 200

/**
 * Reads architectural decision records that people wrote: MADR of any version, with front matter or with a list below
 * the title, and records in the style of Nygard. An accepted record is the team's word (`stated`); a proposed one is a
 * proposal. Every event quotes the sentence of its file. A file that is no record is passed over, with a warning.
 * Reading the same files again gives the same events. Records that name each other are to be read together: a log takes no
 * link to a decision that it does not know yet.
 */
export function fromMadr(files: readonly MadrFile[], input: FromMadrInput): FromMadrResult {
  const { records: all, warnings } = readAll(files)
  const { scope, at, kept, decisions } = input
  const untouched = all.flatMap((record) => {
    const { fileName, decision = '', isUntouched } = record
    // One that was edited and imported, and is again as it was written, takes that back.
    const isOld = isUntouched && !kept?.has(sessionOf(record)) && decisions?.get(decision) !== undefined
    return isOld ? [{ fileName, decision }] : []
  })
  const old = new Set(untouched.map(({ fileName }) => fileName))
  const records = all.filter(({ fileName }) => !old.has(fileName))
  const shelf = [...untouched, ...(input.shelf ?? []), ...shelfOf(decisions)]
  const { successions, warnings: linkWarnings } = linkRecords(records, shelf)
  const changed = changedRecords(records, successions, kept)
  const known = decisions && createKnown(decisions, new Set(records.map(sessionOf)))
  const draftOf = (record: DecisionRecord) => {
    const edition = kept?.get(sessionOf(record))?.edition ?? 0
    return draftRecord(record, {
      scope,
      at,
      edition,
      isChanged: changed.has(record),
      ...(known && { known }),
    })
  }
  const drafts = new Map<LinkedRecord, Draft>(records.map((record) => [record, draftOf(record)]))
  warnings.push(...linkWarnings)
  const replaced = new Set(successions.filter(({ area }) => area === undefined).map(({ old }) => old))
  const over = successions.flatMap((succession) => {
    const event = successionEvent(succession, drafts)
    if (event === undefined) return []
    const { decision, supersededBy, area } = event
    // A line that `toMadr` wrote into a record is no news when another part of it is edited.
    const written = succession.successor.decision ?? supersededBy
    const isKnown = [supersededBy, written].some((id) =>
      known?.isOver(decision, { id, ...(area !== undefined && { area }) }),
    )
    return isKnown ? [] : [event]
  })
  const edits = [...drafts.values()].flatMap((draft) => {
    const { decision: before, status } = draft.record
    if (before === undefined || before === draft.beginning.decision || status.status !== 'accepted') return []
    return known?.has(before) && !known.isOver(before) ? [editEvent(draft, before)] : []
  })
  const retractions: SaidEvent[] = []
  for (const draft of drafts.values()) {
    const { fileName, status } = draft.record
    if (status.warning !== undefined) warnings.push(`${fileName} ${status.warning}`)
    if (replaced.has(draft.record) || status.status === 'accepted' || status.status === 'proposed') continue
    if (status.status === 'superseded')
      warnings.push(`${fileName} is superseded by nothing that is there; it counts as given up`)
    if (!known?.isOver(draft.beginning.decision)) retractions.push(retraction(draft))
  }
  return {
    events: [...[...drafts.values()].map(({ beginning }) => beginning), ...edits, ...over, ...retractions],
    files: [...drafts.values()].map(({ file }) => file),
    unchanged: untouched.length,
    warnings: limited(warnings),
  }
}

/** Records that were imported into a log before, by the sessions that their texts are kept as. */
function shelfOf(decisions: DecisionSet | undefined): ShelvedRecord[] {
  return (decisions?.all ?? []).flatMap(({ id, sources }) =>
    sources.flatMap(({ session }) =>
      session.startsWith(FILE) ? [{ fileName: session.slice(FILE.length), decision: id }] : [],
    ),
  )
}

/**
 * Records that are kept otherwise than they are now; and those that say something of them, which must be said again behind
 * what they are now, because a log takes no link to what it does not know yet.
 */
function changedRecords(
  records: readonly DecisionRecord[],
  successions: readonly Succession[],
  kept: ReadonlyMap<string, KeptFile> | undefined,
): ReadonlySet<DecisionRecord> {
  const waiting = records.filter((record) => {
    const before = kept?.get(sessionOf(record))
    return before !== undefined && before.hash !== hashText(record.text)
  })
  const speakers = new Map<DecisionRecord, DecisionRecord[]>()
  for (const { old, successor, saidBy } of successions)
    for (const record of [old, successor])
      if ('choice' in record && record !== saidBy) addTo(speakers, record, saidBy)
  const changed = new Set<DecisionRecord>()
  for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) {
    if (changed.has(record) || !kept?.has(sessionOf(record))) continue
    changed.add(record)
    waiting.push(...(speakers.get(record) ?? []))
  }
  return changed
}

function readAll(files: readonly MadrFile[]): { records: DecisionRecord[]; warnings: string[] } {
  const warnings: string[] = []
  const names = new Set<string>()
  const records = files.slice(0, MAX_MADR_FILES).flatMap((file) => {
    const record = names.has(file.fileName) ? 'comes twice' : readRecord(file)
    names.add(file.fileName)
    if (typeof record !== 'string') return [record]
    warnings.push(`${file.fileName} ${record}`)
    return []
  })
  if (files.length > MAX_MADR_FILES)
    warnings.push(
      `only ${MAX_MADR_FILES} of ${files.length} files were read; import the others by themselves`,
    )
  const place = ({ number }: DecisionRecord) => number ?? Number.MAX_SAFE_INTEGER
  records.sort((left, right) => place(left) - place(right) || (left.fileName < right.fileName ? -1 : 1))
  return { records, warnings }
}

function limited(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - MAX_WARNINGS
  return more <= 0 ? warnings : [...warnings.slice(0, MAX_WARNINGS), `and ${more} more like these`]
}
