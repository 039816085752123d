import type { Loose } from '@palimpsest/core'
import { putNewest } from '../../put-newest.ts'
import { withoutMark } from '../../recognition/cache-marks.ts'
import { digest } from '../../recognition/prefix-hashes.ts'
import { type Block, blocksOf, isThinking } from './blocks.ts'

/** Thinking that is remembered, a hundred bytes each; what was not used for longest goes first. */
const REMEMBERED = 20_000

/** Something that stands in a prompt: a message or a part of it. */
interface Said {
  readonly role: string
  readonly blocks: readonly Block[]
}

export type BoundThinking = ReturnType<typeof createBoundThinking>

/**
 * Remembers the prompt that each thinking was given behind. Models bind thinking to everything before it: behind
 * anything else it is refused.
 */
export function createBoundThinking() {
  const prefixes = new Map<string, string>()
  const put = (key: string, prefix: string) => putNewest(prefixes, key, prefix, REMEMBERED)
  return {
    learn(thinking: Block, prefix: string): void {
      put(keyOf(thinking), prefix)
    },
    /** Whether it was given behind this prompt. Undefined when that is not known. */
    fits(thinking: Block, prefix: string): boolean | undefined {
      const key = keyOf(thinking)
      const known = prefixes.get(key)
      if (known === undefined) return undefined
      put(key, known)
      return known === prefix
    },
  }
}

function keyOf({ signature, data, thinking }: Block): string {
  return digest(String(signature ?? data ?? thinking))
}

/** The digest of a prompt with one more message. The same whether texts are written as blocks, and without breakpoints. */
export function extendPrompt(before: string, { role, blocks }: Said): string {
  return digest(`${before}\n${JSON.stringify([role, blocks.map(normal)])}`)
}

function normal(block: Block): Loose {
  const plain = withoutMark(block)
  return plain.type === 'tool_result'
    ? { ...plain, content: blocksOf(plain.content).map(withoutMark) }
    : plain
}

/** That of a whole prompt. */
export function promptDigest(said: readonly Said[]): string {
  return said.reduce(extendPrompt, '')
}

export function hasThinking({ blocks }: Said): boolean {
  return blocks.some(isThinking)
}
