import type { Store } from '@palimpsest/core'
import type { Transcript } from '@palimpsest/transcripts'
import type { Configuration } from '../engines/configuration.ts'
import { placeOf } from '../stores/find-store-place.ts'
import { openStore } from '../stores/open-store.ts'
import { recordingTime, sessionOf } from '../stores/recording-time.ts'
import { isMissing, type StorePlace } from '../stores/store-place.ts'
import { assertSameConversation, matchRecording } from '../stores/store-recording.ts'
import { UsageError } from '../usage-error.ts'

export interface ReplayStore {
  readonly store: Store
  readonly principal: string
  readonly sessionId: string
  readonly stored: number
  readonly startedAt: number
}

interface ReplayStoreFlags {
  readonly store?: string
  readonly session?: string
}

export async function openReplayStore(
  configuration: Configuration,
  flags: ReplayStoreFlags,
  file: string,
  transcript: Transcript,
): Promise<ReplayStore | undefined> {
  if (flags.session === '') throw new UsageError('--session must not be empty')
  const place = replayPlace(configuration, flags)
  if (place === undefined) {
    if (flags.session === undefined) return undefined
    throw new UsageError('--session is the id of a session in a store: use it with --store <file or address>')
  }
  const { principal } = configuration.config.store
  const sessionId = flags.session ?? sessionOf(file)
  const startedAt = await recordingTime(file, transcript)
  const store = await openStore(place)
  try {
    // A wrong option must not leave an empty store.
    const session = isMissing(place) ? null : await store.find({ principal, key: sessionId })
    const match = session === null ? undefined : await matchRecording(session, transcript.entries)
    if (session !== null && match !== undefined)
      await assertSameConversation(session, transcript.entries, match)
    return { store, principal, sessionId, stored: match?.known ?? 0, startedAt }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** A replay is a trial and uses the configured store only on request. */
export function replayPlace(
  configuration: Configuration,
  { store }: ReplayStoreFlags,
): StorePlace | undefined {
  return store === undefined ? undefined : placeOf(store, '--store', process.cwd(), configuration)
}
