/** Tags that prompts for a summariser quote something in. */
const TAGS = ['conversation', 'previous_summary', 'memory', 'focus', 'rules', 'summaries', 'stays'] as const
const CLOSING = new RegExp(`</(${TAGS.join('|')})`, 'gi')

/** Keeps a text from closing the block of a prompt that it is quoted in. */
export function escapeTags(text: string): string {
  return text.includes('</') ? text.replace(CLOSING, '<\\/$1') : text
}

/** A text in a block of a prompt; nothing for an empty one. */
export function promptBlock(tag: (typeof TAGS)[number], text: string | undefined): string {
  return text === undefined || text === '' ? '' : `<${tag}>\n${escapeTags(text)}\n</${tag}>\n\n`
}
