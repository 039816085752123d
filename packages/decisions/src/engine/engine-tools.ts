import { errorText } from '@palimpsest/core'
import { eventId } from '../log/ids.ts'
import { makeSource } from '../log/make-source.ts'
import { createDecisionsTools, type DecisionsTools } from '../tools/create-decisions-tools.ts'
import type { DecisionsToolsInput } from '../tools/tools-input.ts'
import type { DecisionRecorder } from './decision-recorder.ts'
import type { OpenedSession } from './open-session.ts'

/** The tools over what an engine has on record, by the session's key in the store. */
export function createEngineTools(recorder: DecisionRecorder, opened: OpenedSession): DecisionsTools {
  const inputFor = (session: string): DecisionsToolsInput => ({
    session,
    ledger: async () => (await recorder.load()).ledger,
    async sourceAt(key, index) {
      const { principal } = await opened.open()
      const found = await opened.store.find({ principal, key })
      return (await found?.sources({ from: index, to: index + 1 }))?.[0]
    },
    messagesFrom: async (from) => (await opened.open()).sources({ from }),
    async record(candidates, by) {
      const texts = await (await opened.open()).sources()
      return (await recorder.resolve(candidates, { by, texts })).events
    },
    async retract(decision, reason, span) {
      const texts = await (await opened.open()).sources()
      const last = texts.findLast(({ text }) => text.trim() !== '')
      const place = span ?? (last && { message: last.message, start: 0, end: last.text.length })
      const message = place && texts[place.message]
      if (place === undefined || message === undefined) return []
      const { start, end } = place
      return recorder.append(
        async ({ ledger, scope, edition, at, by }) => {
          const source = makeSource(message, { session, start, end, edition })
          const authority = span === undefined ? ('proposed' as const) : ('stated' as const)
          const event = { type: 'retracted' as const, decision, scope, at, source, authority, by, reason }
          const events = [{ ...event, id: eventId(event) }]
          ledger.append(events)
          return events
        },
        { by: 'tool', texts },
      )
    },
    artifacts: async () => (await recorder.load()).artifacts,
  })

  return {
    schemas: createDecisionsTools(inputFor('')).schemas,
    async call(name, args, signal) {
      try {
        const { session } = await recorder.load()
        return await createDecisionsTools(inputFor(session)).call(name, args, signal)
      } catch (error) {
        signal?.throwIfAborted()
        return JSON.stringify({ error: errorText(error) })
      }
    },
  }
}
