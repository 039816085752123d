import { textWindows } from './text-windows.ts'

/** Characters of prose of one message that are searched for sentences: its beginning and its end. */
const MAX_PROSE_CHARS = 32_768

/** Blocks that hosts insert into a turn; nobody said what stands in them. */
const INSERTED_TAGS = [
  'system-reminder',
  'local-command-stdout',
  'local-command-caveat',
  'task-notification',
  'environment_context',
  'user_instructions',
]

/**
 * What a person or a model said in a message: without fenced code, quoted lines and blocks that a host
 * inserted. Line breaks are kept.
 */
export function proseOf(text: string): string {
  const parts = textWindows(text, MAX_PROSE_CHARS)
  return parts.map((part) => withoutQuotes(withoutFences(withoutInsertedBlocks(part)))).join('\n')
}

/** The same as one text without the gaps that it leaves. */
export function ownWords(text: string): string {
  return proseOf(text)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function withoutInsertedBlocks(text: string): string {
  if (!text.includes('<')) return text
  let rest = text
  for (const tag of INSERTED_TAGS) {
    let start = rest.indexOf(`<${tag}>`)
    while (start !== -1) {
      const end = rest.indexOf(`</${tag}>`, start)
      rest = rest.slice(0, start) + (end === -1 ? '' : rest.slice(end + tag.length + 3))
      start = rest.indexOf(`<${tag}>`, start)
    }
  }
  return rest
}

function withoutFences(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text
  let fence = ''
  return text
    .split('\n')
    .filter((line) => {
      const mark = /^\s{0,8}(?:```|~~~)/.exec(line)?.[0].trim() ?? ''
      if (mark === '' || (fence !== '' && mark !== fence)) return fence === ''
      fence = fence === '' ? mark : ''
      return false
    })
    .join('\n')
}

function withoutQuotes(text: string): string {
  return text.includes('>') ? text.replace(/^[ \t]{0,3}>.*$/gm, '') : text
}
