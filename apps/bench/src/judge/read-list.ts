import { withoutThinking } from '@palimpsest/core/summarizer'

/** The list that a judge was asked for, under this key; it may stand in a fence, between sentences, or alone. */
export function readList(text: string, key: string): readonly unknown[] | undefined {
  const answer = withoutThinking(text)
  const start = answer.search(/[{[]/)
  if (start < 0) return undefined
  const end = answer.lastIndexOf(answer[start] === '{' ? '}' : ']')
  try {
    const value: unknown = JSON.parse(answer.slice(start, end + 1))
    const list = Array.isArray(value) ? value : member(value, key)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

/** The member of an object under a key. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([name]) => name === key)?.[1]
}
