/** Tags that the judge's prompt quotes something in. */
const TAGS = ['question', 'facts', 'answer'] as const
const TAG = new RegExp(`<(/?(?:${TAGS.join('|')})\\b)`, 'gi')

/** A text in a block of the judge's prompt, which it can neither close nor open another of. */
export function quoteBlock(tag: (typeof TAGS)[number], text: string): string {
  return `<${tag}>\n${text.replace(TAG, '<\\$1')}\n</${tag}>`
}
