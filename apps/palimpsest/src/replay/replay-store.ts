import type { TokenCounter } from '@palimpsest/core'
import type { Transcript } from '@palimpsest/transcripts'
import type { ChosenEngine } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { DECISIONS, LCM_SUFFIX } from '../engines/decisions-options.ts'
import { LCM } from '../engines/lcm-options.ts'
import { namedPlace } from '../stores/find-store-place.ts'
import { besidePlace, type StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import type { RecordedSession, ReplayTarget } from './recorded-session.ts'

/** A session in a store that a replay goes into. */
export interface ReplayStore {
  readonly sessionId: string
  /** Messages at the beginning of the recording that are there already. */
  readonly stored: number
  /** The earliest time of the recording, in milliseconds since the epoch. */
  readonly startedAt: number
  /** The engine on that store, where messages get the times of the recording. */
  readonly engine: ChosenEngine
  /** Stores what follows the last request: there is no next one that would bring it. */
  finish(tokens: TokenCounter): Promise<void>
}

/** Engines that keep sessions in a store. */
const TARGETS: Readonly<Record<string, () => Promise<(recorded: RecordedSession) => Promise<ReplayTarget>>>> =
  {
    [LCM]: async () => (await import('./lcm-target.ts')).lcmTarget,
    [DECISIONS]: async () => (await import('./decisions-target.ts')).decisionsTarget,
  }

/**
 * The engine's stored part of a recording: replaying it again goes on where it ended, because a host that
 * began anew would be taken for one that takes everything back. Undefined without a store.
 */
export async function openReplayStore(
  configuration: Configuration,
  flags: { readonly store?: string; readonly session?: string },
  engine: ChosenEngine,
  file: string,
  transcript: Transcript,
): Promise<ReplayStore | undefined> {
  const { definition, options } = engine
  if (flags.session === '') throw new UsageError('--session must not be empty')
  const load = TARGETS[definition.name]
  const place = placeFor(configuration, flags, engine)
  if (load === undefined || place === undefined) {
    if (flags.session === undefined) return undefined
    throw new UsageError(
      '--session is the id of a session in a store: use it with --engine lcm or decisions, and --store <file or address>',
    )
  }
  const { recordingTime, sessionOf } = await import('../lcm/recording-time.ts')
  const sessionId = flags.session ?? sessionOf(file)
  const startedAt = await recordingTime(file, transcript)
  const target = await (await load())({ options, place, sessionId, entries: transcript.entries, startedAt })
  return {
    sessionId,
    stored: await target.countStored(),
    startedAt,
    engine: { ...engine, options: target.options },
    finish: target.finish,
  }
}

/** Not the database that everything else is kept in: a replay is a trial, and goes there only when it is told to. */
function placeFor(
  configuration: Configuration,
  flags: { readonly store?: string },
  { definition: { name }, source }: ChosenEngine,
): StorePlace | undefined {
  return source === 'built-in' && name in TARGETS ? namedPlace(name, configuration, flags.store) : undefined
}

/** The files of the stores that a replay goes into. */
export function storePaths(...given: Parameters<typeof placeFor>): string[] {
  const place = placeFor(...given)
  return place?.kind === 'file' ? [place.path, besidePlace(place, LCM_SUFFIX).name] : []
}
