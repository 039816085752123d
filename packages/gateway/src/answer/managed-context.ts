import {
  contextOverflow,
  errorText,
  type Message,
  type TurnSession,
  toolCallName,
  type Warning,
} from '@palimpsest/core'
import type { Lease } from '../conversations/lease.ts'
import { type ChatRequest, StreamedError } from '../formats/wire-format.ts'
import { PassedOn } from '../http/gateway-fault.ts'

const NOT_MANAGED = 'the engine failed, so the messages were forwarded as they came'

interface ManagedContextInput {
  readonly request: Pick<ChatRequest, 'messages'>
  readonly lease: Lease
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

export interface ManagedContext extends TurnSession {
  /** False when the engine failed: the client's messages are sent as they came. */
  readonly isManaged: boolean
  readonly warnings: readonly string[]
}

/**
 * The session of a conversation, whose failures are no reason to refuse an answer.
 *
 * @param list the client's messages, as the session is told them.
 * @param own names of the engine's tools that were offered; it may grow.
 */
export function createManagedContext(
  { request, lease, log, signal }: ManagedContextInput,
  list: readonly Message[],
  own: ReadonlySet<string>,
): ManagedContext {
  const { session } = lease
  const warnings: string[] = session === undefined ? [NOT_MANAGED] : []
  let isManaged = session !== undefined

  const noted = <P extends { readonly warnings: readonly Warning[] }>(prepared: P): P => {
    warnings.push(...prepared.warnings.map(({ message }) => message))
    return prepared
  }

  return {
    warnings,
    get isManaged() {
      return isManaged
    },
    async prepare(messages = list, options) {
      if (isManaged && session !== undefined)
        try {
          return noted(await session.prepare(messages, { ...options, frozen: true }))
        } catch (error) {
          signal.throwIfAborted()
          isManaged = false
          log(`error: the context of a request is not managed: ${errorText(error)}`)
          warnings.push(NOT_MANAGED)
          lease.fail()
        }
      const steps = messages.slice(list.length) as readonly Message[]
      const tools = [...(options?.tools ?? [])]
      const shown = [...request.messages, ...steps]
      const origins = shown.map((_, index) => ({ from: 'transcript', index, whole: true }) as const)
      const asItCame = { messages: shown, origins, tools, cache: null }
      return { ...asItCame, tokens: 0, compactions: [], warnings: [] }
    },
    async recover(error, options) {
      const isRefusal = error instanceof PassedOn || error instanceof StreamedError
      const isTooLong = isRefusal && contextOverflow(error) !== undefined
      if (!isTooLong || !isManaged || session === undefined) throw error
      try {
        return noted(await session.recover(error, { ...options, frozen: true }))
      } catch (cause) {
        signal.throwIfAborted()
        log(
          `warning: a prompt was too long for the upstream, and could not be shortened: ${errorText(cause)}`,
        )
        throw error
      }
    },
    async observe(response) {
      // Another worker may be writing to a lost conversation by now.
      if (!isManaged || lease.isLost) return
      await session?.observe(response).catch((error) => {
        log(`error: the engine could not take an answer: ${errorText(error)}`)
      })
    },
    answerCall: async (call, options) =>
      own.has(toolCallName(call)) ? session?.answerCall(call, options) : undefined,
  }
}
