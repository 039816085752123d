import type { Message } from '@palimpsest/core'

const NAMED: readonly (readonly [RegExp, string])[] = [
  [/Nothing is lost: before you say.{1,80}call lcm_grep.{1,200}gives it back, word for word\.\s*/g, ''],
  [/(?<=deleted on request); lcm_expand reads what is left of its messages(?=\.)/g, ''],
  [/(?<=No room for a summary): read it with lcm_expand(?=\.)/g, ''],
  [/: lcm_describe \{"id":"s\d+"\} shows the text(?=<\/index>)/g, ''],
  [/; the whole result is m\d+: lcm_expand \{"id":"m\d+"\} reads it, lcm_grep searches it(?= …\])/g, ''],
]

export function withoutToolNames(message: Message): Message {
  const { content, id, role } = message
  if (id !== undefined && role !== 'tool') return message
  const plain = (text: string) =>
    text.includes('lcm_') ? NAMED.reduce((left, [named, rest]) => left.replace(named, rest), text) : text
  if (typeof content === 'string') {
    const left = plain(content)
    return left === content ? message : ({ ...message, content: left } as Message)
  }
  if (!Array.isArray(content)) return message
  const parts = content.map((part) => (part.type === 'text' ? { ...part, text: plain(part.text) } : part))
  return { ...message, content: parts } as Message
}
