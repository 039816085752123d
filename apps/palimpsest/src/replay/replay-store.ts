import { statSync } from 'node:fs'
import type { TokenCounter } from '@palimpsest/core'
import type { LcmSession, LcmStore } from '@palimpsest/lcm'
import type { Transcript } from '@palimpsest/transcripts'
import type { ChosenEngine } from '../engines/choose-engine.ts'
import type { Configuration } from '../engines/configuration.ts'
import { LCM, principalOf } from '../engines/lcm-options.ts'
import { storePath } from '../engines/store-paths.ts'
import { UsageError } from '../usage-error.ts'

/** A session in a store that a replay goes into. */
export interface ReplayStore {
  readonly sessionId: string
  /** Messages at the beginning of the recording that are there already. */
  readonly stored: number
  /** When the recording began, in milliseconds since the epoch. */
  readonly startedAt: number
  /** The engine on that store, where messages get the times of the recording. */
  readonly engine: ChosenEngine
  /** Stores what follows the last request: there is no next one that would bring it. */
  finish(tokens: TokenCounter): Promise<void>
}

/**
 * What the store of the engine knows of a recording: replaying it again goes on where it ended, because a host that
 * began anew would be taken for one that takes everything back. Undefined without a store.
 */
export async function openReplayStore(
  configuration: Configuration,
  flags: { readonly store?: string; readonly session?: string },
  engine: ChosenEngine,
  file: string,
  { entries, startedAt: begun }: Transcript,
): Promise<ReplayStore | undefined> {
  const { definition, source, options } = engine
  if (flags.session === '') throw new UsageError('--session must not be empty')
  const isLcm = definition.name === LCM && source === 'built-in'
  const path = isLcm ? storePath(LCM, configuration, flags.store) : undefined
  if (path === undefined) {
    if (flags.session === undefined) return undefined
    throw new UsageError(
      '--session is the id of a session in a store: use it with --engine lcm and --store <file>',
    )
  }
  const { createSqliteStore } = await import('@palimpsest/lcm/sqlite')
  const { matchRecording } = await import('../lcm/match-recording.ts')
  const { sessionOf } = await import('../lcm/session-of.ts')
  const { recordingTime } = await import('../lcm/recording-time.ts')
  const { withRecordedTimes } = await import('./recorded-times.ts')
  const sessionId = flags.session ?? sessionOf(file)
  const principal = principalOf(options)

  const within = async <T>(work: (session: LcmSession | null) => Promise<T>): Promise<T> => {
    // The engine makes the file, when its options are right.
    if (!statSync(path, { throwIfNoEntry: false })?.size) return work(null)
    const store: LcmStore = createSqliteStore({ path, create: false })
    try {
      return await work(await store.find({ principal, key: sessionId }))
    } finally {
      await store.close()
    }
  }
  const known = await within(async (session) => session && matchRecording(session, entries))
  const startedAt = await recordingTime(file, begun)
  const timedStore = () => withRecordedTimes(createSqliteStore({ path }), entries, startedAt)
  return {
    sessionId,
    stored: known?.known ?? 0,
    startedAt,
    engine: { ...engine, options: { ...options, store: timedStore } },
    finish: (tokens) =>
      within(async (session) => {
        const { storeRecording } = await import('../lcm/store-recording.ts')
        if (session !== null) await storeRecording({ session, entries, tokens, at: startedAt })
      }),
  }
}
