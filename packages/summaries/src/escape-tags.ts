const TAGS = ['conversation', 'previous_summary', 'memory', 'focus', 'rules', 'summaries', 'stays'] as const
const CLOSING = new RegExp(`</(${TAGS.join('|')})`, 'gi')

/** Escapes a text so that it cannot close its block. */
export function escapeTags(text: string): string {
  return text.includes('</') ? text.replace(CLOSING, '<\\/$1') : text
}

export function promptBlock(tag: (typeof TAGS)[number], text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<${tag}>\n${escapeTags(text)}\n</${tag}>\n\n`
}
