import { countMessages } from '../budget/count-messages.ts'
import { fitMessages } from '../budget/fit-messages.ts'
import { checkMessage } from '../laws/check-message.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import { findLastUser } from '../messages/find-last-user.ts'
import { stripReasoning } from '../messages/strip-reasoning.ts'
import { isSummary } from '../messages/summary-marker.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { inOtherForm, type TracedMessages } from './origins.ts'

export interface WindowFitCall {
  readonly projection: TracedMessages
  readonly transcript: readonly Message[]
  /** Whether it fits as it is. */
  readonly fits: boolean
  /** Room for the messages, in tokens of the counter. */
  readonly roomTokens: number
  /** Cut as far as possible, even if it is not enough; otherwise nothing is cut then. */
  readonly evenPartly: boolean
}

interface FittedMessages extends TracedMessages {
  /** Where in the projection something was cut just now. */
  readonly cut: readonly number[]
}

/**
 * The projection as a request can hold it, for what an engine did not make small enough. A text that was cut once is cut in the same way in every later request, so that a provider's cache holds. The
 * projection stays whole: an engine that summarises a message reads all of it.
 */
export function createWindowFit(tokens: TokenCounter) {
  let shown = new WeakMap<Message, Message>()
  let isCutting = false
  return {
    /** The projection with long texts cut where it does not fit; itself when nothing was ever cut in it. Frozen. */
    fit({ projection, transcript, fits, roomTokens, evenPartly }: WindowFitCall): FittedMessages {
      const { messages: whole } = projection
      if (fits && !isCutting) return { ...projection, cut: [] }
      const before = whole.map((message) => shown.get(message) ?? message)
      if (countMessages(tokens, before) <= roomTokens) return { ...inForm(projection, before), cut: [] }
      // So many messages do not fit when all their texts are gone: to cut them is minutes of work for nothing.
      const least = whole.length * tokens.countMessage({ role: 'assistant', content: '' })
      if (least > roomTokens && !evenPartly) return { ...inForm(projection, before), cut: [] }
      const verbatim = [transcript.findLast(isWritten), whole[findLastUser(whole)]]
      const fitted = fitMessages({
        messages: before,
        roomTokens,
        tokens,
        verbatim: verbatim.filter((message) => message !== undefined),
      })
      const first = fitted.findIndex((message, index) => message !== before[index])
      const isEnough = evenPartly || countMessages(tokens, fitted) <= roomTokens
      if (first === -1 || !isEnough) return { ...inForm(projection, before), cut: [] }
      isCutting = true
      // Reasoning is bound to all that stood before it, whole.
      const messages = fitted.map((message, index) =>
        index < first ? message : snapshotMessage(stripReasoning(message)),
      )
      const cut = [...whole.keys()].filter((index) => fitted[index] !== before[index])
      for (const [index, message] of whole.entries()) {
        const next = messages[index]
        if (next !== undefined && next !== message) shown.set(message, next)
      }
      return { ...inForm(projection, messages), cut }
    },
    /** Another conversation, or a model that may hold more: everything is shown whole again. */
    clear(): void {
      shown = new WeakMap()
      isCutting = false
    },
  }
}

/** The projection with its messages in another form; itself when they are its own. */
function inForm(projection: TracedMessages, messages: readonly Message[]): TracedMessages {
  const isSame = messages.map((message, index) => message === projection.messages[index])
  if (!isSame.includes(false)) return projection
  const origins = projection.origins.map((origin, index) => (isSame[index] ? origin : inOtherForm(origin)))
  return { messages: Object.freeze(messages), origins: Object.freeze(origins) }
}

function isWritten(message: Message): boolean {
  return message.role === 'user' && !isSummary(message) && checkMessage(message).length === 0
}
