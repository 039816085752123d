import {
  type AppendInput,
  type CommitInput,
  hashMessage,
  type LcmSession,
  type LcmStore,
  type SeqRange,
  type SummaryNode,
} from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { principalOf } from '../engines/lcm-options.ts'
import { assertSameConversation, matchRecording, storeRecording, timeBefore } from '../lcm/store-recording.ts'
import { lcmStoreOpener } from '../stores/open-engine-store.ts'
import { isMissing } from '../stores/store-place.ts'
import type { RecordedSession, ReplayTarget } from './recorded-session.ts'

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
      within(async (session) => {
        if (session === null) return 0
        const match = await matchRecording(session, entries)
        await assertSameConversation(session, entries, match)
        return match.known
      }),
    options: { ...options, store: timedStore },
    finish: (tokens) =>
      within(async (session) => {
        if (session !== null) await storeRecording({ session, entries, tokens, at: startedAt })
      }),
  }
}

/**
 * A store in which a session begins when its recording did, and its messages get the times that the recording has for
 * them. An engine is told of several at once and has one clock: all would be of the time of the next answer.
 *
 * @param at The earliest time of the recording, which messages without one get, in milliseconds since the epoch.
 */
function withRecordedTimes(store: LcmStore, entries: readonly TranscriptEntry[], at: number): LcmStore {
  return { ...store, session: async (ref) => timed(await store.session(ref, at), entries, at) }
}

function timed(session: LcmSession, entries: readonly TranscriptEntry[], at: number): LcmSession {
  const timedMessages = async ({ nextSeq, replace, messages }: AppendInput) => {
    const start = replace?.from ?? nextSeq
    const { replaced } = await session.head()
    const index = start - countBefore(replaced, start)
    let time = (await timeBefore(session, start)) ?? at
    return messages.map((message, offset) => {
      const entry = entries[index + offset]
      if (entry?.timestamp !== undefined && hashMessage(entry.message) === message.hash)
        time = Math.max(time, entry.timestamp)
      return { ...message, at: time }
    })
  }
  /** A summary says from when to when its messages are. */
  const timedNode = async (node: SummaryNode): Promise<SummaryNode> => {
    const timeOf = async (seq: number) =>
      (await session.messages({ first: seq, last: seq, limit: 1, includeReplaced: true }))[0]?.at
    return {
      ...node,
      from: (await timeOf(node.first)) ?? node.from,
      to: (await timeOf(node.last)) ?? node.to,
    }
  }
  return {
    ...session,
    append: async (input) => session.append({ ...input, messages: await timedMessages(input) }),
    commit: async (input: CommitInput) =>
      session.commit({ ...input, create: await Promise.all(input.create.map(timedNode)) }),
  }
}

/** Replaced messages before a number. */
function countBefore(replaced: readonly SeqRange[], seq: number): number {
  return replaced.reduce((sum, { first, last }) => sum + Math.max(0, Math.min(last, seq - 1) - first + 1), 0)
}
