import type { ContextSession, HostTool, Prepared, PrepareOptions } from '@palimpsest/core'
import type { ViewRecord } from './view-record.ts'

/**
 * The same session, which tells a record of each request and answer. `touch`: only the engine knows whether something
 * changed.
 */
export function watchSession(
  session: ContextSession,
  record: Pick<ViewRecord, 'request' | 'answered'>,
  touch: () => void,
): ContextSession {
  return {
    id: session.id,
    engine: session.engine,
    get transcript() {
      return session.transcript
    },
    async prepare(messages, options) {
      const prepared = await session.prepare(messages, options)
      record.request(prepared as Prepared, functionsOf(options) ?? [])
      return prepared
    },
    append: (messages) => session.append(messages),
    async observe(response) {
      await session.observe(response)
      record.answered(response)
    },
    async recover(error, options) {
      const prepared = await session.recover(error, options)
      record.request(prepared as Prepared, functionsOf(options))
      return prepared
    },
    callTool: (name, args, options) => session.callTool(name, args, options).finally(touch),
    answerCall: (call, options) => session.answerCall(call, options).finally(touch),
    compact: (options) => session.compact(options),
    updateModel: (update) => session.updateModel(update).finally(touch),
    reset: () => session.reset(),
    end: () => session.end(),
    subscribe: (listener) => session.subscribe(listener),
  }
}

function functionsOf<Tool extends HostTool>(options: PrepareOptions<Tool> | undefined) {
  return (options as PrepareOptions | undefined)?.tools
}
