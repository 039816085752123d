import { errorText } from '@palimpsest/core'
import { eventId } from '../log/ids.ts'
import { makeSource } from '../log/source.ts'
import { createDecisionsTools, type DecisionsTools } from '../tools/create-decisions-tools.ts'
import type { DecisionsToolsInput } from '../tools/tools-input.ts'
import type { DecisionRecorder } from './decision-recorder.ts'
import type { OpenedSession } from './open-session.ts'

/** The tools over what an engine has on record, by the session's key in the store. */
export function createEngineTools(recorder: DecisionRecorder, opened: OpenedSession): DecisionsTools {
  const readAll = async (from = 0) => (await opened.open()).sources({ from })
  const readMessage = async (index: number) => (await opened.open()).sources({ from: index, to: index + 1 })

  const inputFor = (session: string): DecisionsToolsInput => ({
    session,
    ledger: async () => (await recorder.load()).ledger,
    async sourceAt(key, index) {
      const { principal } = await opened.open()
      const found = await opened.store.find({ principal, key })
      return (await found?.sources({ from: index, to: index + 1 }))?.[0]
    },
    messagesFrom: readAll,
    async record(candidates, by) {
      const texts = await Promise.all(
        [...new Set(candidates.map(({ span }) => span.message))].map(readMessage),
      )
      return (await recorder.resolve(candidates, { by, texts: texts.flat() })).events
    },
    async retract(decision, reason, span) {
      const texts = await (span === undefined ? readAll() : readMessage(span.message))
      const message = texts.findLast(({ text }) => text.trim() !== '')
      if (message === undefined) return []
      const { start, end } = span ?? { start: 0, end: message.text.length }
      return recorder.add(
        ({ scope, edition, at, by }) => {
          const source = makeSource(message, { session, start, end, edition })
          const authority = span === undefined ? ('proposed' as const) : ('stated' as const)
          const event = { type: 'retracted' as const, decision, scope, at, source, authority, by, reason }
          return [{ ...event, id: eventId(event) }]
        },
        { by: 'tool', texts: [message] },
      )
    },
    artifacts: async () => (await opened.open()).artifacts(),
  })

  return {
    get schemas() {
      return createDecisionsTools(inputFor('')).schemas
    },
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
