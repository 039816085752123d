import type { TokenCounter } from '@palimpsest/core'
import { escapeBlocks } from '../render/escape-blocks.ts'

/** The notes of a memory from outside, as many as fit; empty when not even the first note does. */
export function memoryBlock(text: string, maxTokens: number, tokens: TokenCounter): string {
  const [head = '', ...notes] = escapeBlocks(text).split('\n')
  for (let count = notes.length; count > 0; count--) {
    const lines = ['<external_memory>', head, ...notes.slice(0, count), '</external_memory>']
    const block = lines.join('\n')
    if (tokens.countText(block) <= maxTokens) return block
  }
  return ''
}
