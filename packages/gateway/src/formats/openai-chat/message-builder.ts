import { isObject, type Loose } from '@palimpsest/core'

/** What the pieces of one choice of a stream amount to, calls aside. */
export interface MessageBuilder {
  take(delta: Loose): void
  readonly text: string
  /** With its text and what else came, such as reasoning. */
  readonly message: Loose
}

/** What has a place of its own. */
const NOT_EXTRA = new Set(['role', 'content', 'tool_calls', 'function_call'])

export function createMessageBuilder(): MessageBuilder {
  let text = ''
  let extras: Loose = {}
  return {
    take(delta) {
      text += textOf(delta.content)
      for (const [name, value] of Object.entries(delta)) {
        if (NOT_EXTRA.has(name) || value === null || value === undefined) continue
        extras = { ...extras, [name]: joined(extras[name], value) }
      }
    },
    get text() {
      return text
    },
    get message() {
      return { role: 'assistant', content: text === '' ? null : text, ...extras }
    },
  }
}

/** Texts and lists come in pieces, everything else whole. */
function joined(before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  return value
}

/** Some servers write a text as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}
