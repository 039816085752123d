import type { LcmSession } from '@palimpsest/lcm'
import { principalOf } from '../engines/lcm-options.ts'
import { matchRecording } from '../lcm/match-recording.ts'
import { storeRecording } from '../lcm/store-recording.ts'
import { lcmStoreOpener } from '../stores/open-lcm-store.ts'
import { isMissing } from '../stores/store-place.ts'
import type { RecordedSession, ReplayTarget } from './recorded-session.ts'
import { withRecordedTimes } from './recorded-times.ts'

/** A session in a store of the engine `lcm`. */
export async function lcmTarget(recorded: RecordedSession): Promise<ReplayTarget> {
  const { options, place, sessionId, entries, startedAt } = recorded
  const open = await lcmStoreOpener(place)
  const within = async <T>(work: (session: LcmSession | null) => Promise<T>): Promise<T> => {
    if (isMissing(place)) return work(null)
    const store = open()
    try {
      return await work(await store.find({ principal: principalOf(options), key: sessionId }))
    } finally {
      await store.close()
    }
  }
  const timedStore = () => withRecordedTimes(open(), entries, startedAt)
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
