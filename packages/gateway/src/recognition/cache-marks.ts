import { type Loose, looseOf, type Message, type Prepared } from '@palimpsest/core'

/** A client's list without its cache markers, which move with every request and are no part of what was said. */
interface UnmarkedList {
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
  const plain = withoutMark(message)
  return hasParts ? { ...plain, content: content.map(withoutMark) } : plain
}

/** A message, a part or a block without its own cache marker. */
export function withoutMark<T extends object>(marked: T): T {
  if (!('cache_control' in marked)) return marked
  const { cache_control: _, ...plain } = marked
  return plain as T
}

/** Whether a client sets cache markers: on the request, its tools, its system prompt, or parts of messages and of results. */
export function hasMarks({ cache_control: mark, tools, system, messages }: Loose): boolean {
  return mark !== undefined || [tools, system, messages].flat().some(isMarked)
}

function isMarked(item: unknown): boolean {
  const { cache_control: mark, content } = looseOf(item)
  return mark !== undefined || (Array.isArray(content) && content.some(isMarked))
}
