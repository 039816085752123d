/** The blocks that an assembled prompt is made of. */
export const BLOCK_TAGS = [
  'project_decisions',
  'recent_decisions',
  'conversation_summary',
  'relevant_code',
  'external_memory',
] as const

const TAG = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${BLOCK_TAGS.join('|')}))`, 'gi')

/** Keeps a text from opening or closing a block of the prompt: the bracket becomes one that only looks like it. */
export function escapeBlocks(text: string): string {
  return text.includes('<') ? text.replace(TAG, '‹') : text
}
