import { type Loose, looseOf, type Message, type Prepared } from '@palimpsest/core'

interface UnmarkedList {
  readonly messages: readonly Message[]
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

export function withoutMark<T extends object>(marked: T): T {
  if (!('cache_control' in marked)) return marked
  const { cache_control: _, ...plain } = marked
  return plain as T
}

/** Client markers may be on the request, its tools, its system prompt, or parts of messages and results. */
export function hasMarks({ cache_control: mark, tools, system, messages }: Loose): boolean {
  return mark !== undefined || [tools, system, messages].flat().some(isMarked)
}

function isMarked(item: unknown): boolean {
  const { cache_control: mark, content } = looseOf(item)
  return mark !== undefined || (Array.isArray(content) && content.some(isMarked))
}
