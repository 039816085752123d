import { statSync } from 'node:fs'
import type { LcmSession, LcmStore } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { principalOf } from '../engines/lcm-options.ts'
import { matchRecording } from '../lcm/match-recording.ts'
import { storeRecording } from '../lcm/store-recording.ts'
import type { RecordedSession, ReplayTarget } from './recorded-session.ts'
import { withRecordedTimes } from './recorded-times.ts'

/** A session in a store of the engine `lcm`. */
export function lcmTarget({ options, path, sessionId, entries, startedAt }: RecordedSession): ReplayTarget {
  const within = async <T>(work: (session: LcmSession | null) => Promise<T>): Promise<T> => {
    if (!statSync(path, { throwIfNoEntry: false })?.size) return work(null)
    const store: LcmStore = createSqliteStore({ path, create: false })
    try {
      return await work(await store.find({ principal: principalOf(options), key: sessionId }))
    } finally {
      await store.close()
    }
  }
  const timedStore = () => withRecordedTimes(createSqliteStore({ path }), entries, startedAt)
  return {
    countStored: () =>
      within(async (session) => (session === null ? 0 : (await matchRecording(session, entries)).known)),
    options: { ...options, store: timedStore },
    finish: (tokens) =>
      within(async (session) => {
        if (session !== null) await storeRecording({ session, entries, tokens, at: startedAt })
      }),
  }
}
