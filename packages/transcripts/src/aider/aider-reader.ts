import { assistantMessage, textPart, userMessage } from '../build-message.ts'
import type { ReadingLog, RecordedItem, SessionReader } from '../recorded-item.ts'

export const AIDER_START = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/

/**
 * Reads the chat history of aider, a Markdown file: `####` is the user, a quotation (`>`) is aider itself, and the rest
 * is the model's answer.
 */
export function createAiderReader(log: ReadingLog): SessionReader {
  const items: RecordedItem[] = []
  let by: 'user' | 'assistant' | undefined
  let texts: string[] = []
  let line = 1
  let startedAt: number | undefined
  const flush = () => {
    const text = texts.join('\n').trim()
    texts = []
    if (by === undefined || text === '') return
    const parts = [textPart(text)]
    const message =
      by === 'user'
        ? userMessage(parts)
        : assistantMessage({ parts, calls: [], reasoning: [], provider: 'aider' })
    items.push({ kind: 'message', message, line })
  }
  const turn = (next: typeof by, at: number) => {
    if (by === next) return
    flush()
    by = next
    line = at
  }
  return {
    read(value, at) {
      const text = String(value)
      const [, started] = AIDER_START.exec(text) ?? []
      if (started !== undefined) {
        turn(undefined, at)
        startedAt ??= Date.parse(started.replace(' ', 'T'))
      } else if (/^#### /.test(text)) {
        turn('user', at)
        texts.push(text.slice(5).trimEnd())
      } else if (/^> ?/.test(text)) {
        turn(undefined, at)
        log.skip('line of aider itself')
      } else if (text.trim() !== '' || by === 'assistant') {
        turn('assistant', at)
        texts.push(text)
      }
    },
    finish() {
      flush()
      return { items, startedAt }
    },
  }
}
