import type { ViewMessage } from '../../../src/view/session-view.ts'

/** Of each of two contexts, the indexes of the messages that only it shows. */
interface ContextDifference {
  readonly onlyLeft: ReadonlySet<number>
  readonly onlyRight: ReadonlySet<number>
}

interface ContextOf {
  readonly messages: readonly ViewMessage[]
  /** Indexes in `messages`. */
  readonly context: readonly number[]
}

/** Compares the contexts of two views by what is in them: an index means something within its own view only. */
export function contextDifference(left: ContextOf, right: ContextOf): ContextDifference {
  return { onlyLeft: missingIn(right, left), onlyRight: missingIn(left, right) }
}

function missingIn(other: ContextOf, own: ContextOf): ReadonlySet<number> {
  const known = new Set(other.context.map((index) => contentKey(other.messages[index])))
  return new Set(own.context.filter((index) => !known.has(contentKey(own.messages[index]))))
}

function contentKey(message: ViewMessage | undefined): string {
  if (!message) return ''
  const { role, kind, text, calls, callId, attachments } = message
  return JSON.stringify([role, kind, text, calls, callId, attachments])
}
