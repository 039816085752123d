import {
  type ContextSession,
  createSerialQueue,
  createSessionPool,
  errorText,
  printWarning,
  type SerialQueue,
  type SessionPool,
} from '@palimpsest/core'
import type { ThreadListener } from './context-engine-types.ts'
import { isOfThread } from './session-id.ts'

export interface OpenSession {
  readonly session: ContextSession
  /** One model call at a time, because a session's preparation and observations belong to one prompt. */
  readonly queue: SerialQueue
  lastAnswer: string | undefined
}

export interface OpenSessions extends Pick<SessionPool<OpenSession>, 'get' | 'use' | 'close'> {
  endThread(threadId: string): Promise<void>
  subscribe(listener: ThreadListener): () => void
  warn(code: string, message: string, id: string): void
}

export function createOpenSessions(create: (id: string) => ContextSession, limit: number): OpenSessions {
  const listeners = new Set<ThreadListener>()
  const emit: ThreadListener = (event, id) => {
    if (event.type === 'warning' && listeners.size === 0) printWarning(event.warning)
    for (const listener of listeners) {
      try {
        listener(event, id)
      } catch {}
    }
  }
  const warn = (code: string, message: string, id: string) =>
    emit({ type: 'warning', warning: { code, message } }, id)
  const pool = createSessionPool<OpenSession>({
    limit,
    open(id) {
      const session = create(id)
      session.subscribe((event) => emit(event, id))
      return { session, queue: createSerialQueue(), lastAnswer: undefined }
    },
    end: ({ session }) => session.end(),
    endFailed: (error, id) => warn('end-failed', `the session could not end well: ${errorText(error)}`, id),
  })
  return {
    ...pool,
    async endThread(threadId) {
      const ids = pool.values().flatMap(({ session: { id } }) => (isOfThread(id, threadId) ? [id] : []))
      await Promise.all(ids.map((id) => pool.end(id)))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    warn,
  }
}
