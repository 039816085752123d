import type { Message, Prepared } from '@palimpsest/core'

/** A client's list without its cache markers, which move with every request and are no part of what was said. */
export interface UnmarkedList {
  readonly messages: readonly Message[]
  /** Puts the markers back on what a session shows as it was. `told`: the list that the session was given. */
  mark(shown: Pick<Prepared, 'messages' | 'origins'>, told: readonly Message[]): readonly Message[]
}

export function withoutCacheMarks(messages: readonly Message[]): UnmarkedList {
  const originals = new Map<Message, Message>()
  const unmarked = messages.map((original) => {
    const plain = withoutMarks(original)
    if (plain !== original) originals.set(plain, original)
    return plain
  })
  return {
    messages: unmarked,
    mark: (shown, told) =>
      shown.messages.map((message, index) => {
        const origin = shown.origins[index]
        const source = origin?.from === 'transcript' && origin.whole ? told[origin.index] : undefined
        return (source && originals.get(source)) ?? message
      }),
  }
}

function withoutMarks<M extends Message>(message: M): M {
  const { content } = message
  const hasParts = Array.isArray(content) && content.some((part) => part !== null && 'cache_control' in part)
  if (!hasParts && !('cache_control' in message)) return message
  const { cache_control: _, ...rest } = message as M & { readonly cache_control?: unknown }
  if (!hasParts) return rest as M
  const parts = content.map((part) => {
    const { cache_control: _, ...plain } = part as { readonly cache_control?: unknown }
    return plain
  })
  return { ...rest, content: parts } as M
}
