import { countStored, decisions } from '@palimpsest/decisions'
import { LCM_SUFFIX } from '../engines/decisions-options.ts'
import { LCM, principalOf } from '../engines/lcm-options.ts'
import { openDecisionStore } from '../stores/open-engine-store.ts'
import { besidePlace, isMissing } from '../stores/store-place.ts'
import { lcmTarget } from './lcm-target.ts'
import type { RecordedSession, ReplayTarget } from './recorded-session.ts'

/** A session in a store of the engine `decisions`, and in the store beside it when `lcm` compacts inside. */
export async function decisionsTarget(recorded: RecordedSession): Promise<ReplayTarget> {
  const { options, place, sessionId, entries, startedAt } = recorded
  const messages = entries.map(({ message }) => message)
  const inner = await innerOf(recorded)
  const countOwn = async (): Promise<number> => {
    if (isMissing(place)) return 0
    const store = await openDecisionStore(place, place.kind === 'file' ? 'read' : 'create')
    try {
      return await countStored(store, { principal: principalOf(options), sessionId }, messages)
    } finally {
      await store.close()
    }
  }
  return {
    // The engine inside is told the rest with the next request; messages that are taken back here are read again.
    async countStored() {
      await inner?.target.countStored()
      return countOwn()
    },
    options: inner === undefined ? options : { ...options, compaction: inner.compaction },
    async finish(tokens) {
      await inner?.target.finish(tokens)
      if ((await countOwn()) === messages.length) return
      const times = entries.map(({ timestamp }) => timestamp ?? 0)
      const now = times.reduce((last, time) => Math.max(last, time), startedAt)
      const { compaction: _, ...own } = options
      const host = { contextLength: Number.MAX_SAFE_INTEGER, maxOutputTokens: 0, tokens, sessionId }
      const engine = decisions.create(own, { ...host, clock: { now: () => now } })
      await engine.ingest({ messages, from: 0 })
      await engine.dispose()
    },
  }
}

/** The session of the engine inside, with the option that has its times. */
async function innerOf(recorded: RecordedSession) {
  const { compaction } = recorded.options as {
    readonly compaction?: {
      readonly engine: { readonly name: string }
      readonly options: Record<string, unknown>
    }
  }
  if (compaction?.engine.name !== LCM) return undefined
  const place = besidePlace(recorded.place, LCM_SUFFIX)
  const target = await lcmTarget({ ...recorded, place, options: compaction.options })
  return { target, compaction: { ...compaction, options: target.options } }
}
