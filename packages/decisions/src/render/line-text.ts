import { stripVTControlCharacters } from 'node:util'

/** Characters read per token to show, because invisible ones cost nothing. */
const READ_PER_TOKEN = 16
const INVISIBLE = /[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff]/gu
const BREAKS = /[\p{Cc}\p{Z}]+/gu
const PLAIN = /^[!-~]+(?: [!-~]+)*$/
/** From this code point on, a character is about one token; below, about a quarter. */
const WIDE = 0x2e80

/**
 * Quoted words for one line of a block: control characters and line breaks become spaces, lone surrogates are replaced,
 * block tags are escaped, and the text is cut at about `maxTokens`.
 */
export function lineText(text: string, maxTokens: number): string {
  if (text.length <= 4 * maxTokens && PLAIN.test(text)) return escapeBlocks(text)
  const read = text.slice(0, maxTokens * READ_PER_TOKEN)
  const clean = stripVTControlCharacters(read).toWellFormed().replace(INVISIBLE, '').replace(BREAKS, ' ')
  return escapeBlocks(cut(clean.trim(), maxTokens))
}

function cut(text: string, maxTokens: number): string {
  let tokens = 0
  let end = 0
  for (const character of text) {
    tokens += character.charCodeAt(0) < WIDE ? 0.25 : 1
    if (tokens > maxTokens) {
      const space = text.lastIndexOf(' ', end)
      return `${text.slice(0, space > end / 2 ? space : end).trimEnd()}…`
    }
    end += character.length
  }
  return text
}

const BLOCK_TAGS = ['project_decisions', 'recent_decisions', 'conversation_summary', 'relevant_code'] as const

const TAG = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${BLOCK_TAGS.join('|')}))`, 'gi')

export function escapeBlocks(text: string): string {
  return text.includes('<') ? text.replace(TAG, '‹') : text
}
