import { equalValues, type Message } from '@palimpsest/core'

/** A client's list without its cache markers, which move with every request and are no part of what was said. */
export interface UnmarkedList {
  readonly messages: readonly Message[]
  /** Puts the markers back where their messages are still shown as they were. */
  mark(shown: readonly Message[]): Message[]
}

export function withoutCacheMarks(messages: readonly Message[]): UnmarkedList {
  const marked: { readonly plain: Message; readonly original: Message }[] = []
  const unmarked = messages.map((original) => {
    const plain = withoutMarks(original)
    if (plain !== original) marked.push({ plain, original })
    return plain
  })
  return {
    messages: unmarked,
    mark(shown) {
      const result = [...shown]
      for (const { plain, original } of marked) {
        const index = result.findLastIndex((message) => equalValues(message, plain))
        if (index !== -1) result[index] = original
      }
      return result
    },
  }
}

function withoutMarks<M extends Message>(message: M): M {
  const { cache_control: mark, ...rest } = message as M & { readonly cache_control?: unknown }
  const { content } = message
  const hasParts = Array.isArray(content) && content.some((part) => part !== null && 'cache_control' in part)
  if (mark === undefined && !hasParts) return message
  if (!hasParts) return rest as M
  const parts = content.map((part) => {
    const { cache_control: _, ...plain } = part as { readonly cache_control?: unknown }
    return plain
  })
  return { ...rest, content: parts } as M
}
