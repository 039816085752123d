import type { TokenCounter } from '@palimpsest/core'
import { trimSummary } from '@palimpsest/core/summarizer'
import { createIdentifierMemory, frameSummary, type IdentifierMemory } from '@palimpsest/extractive'
import type { SummaryNode } from '../store/summary-node.ts'
import { joinFrames, materialOf } from './node-frame.ts'
import type { NodeRequest } from './write-node.ts'

export interface CondensedInput {
  readonly target: number
  /** Length of what a model writes of it, in tokens. */
  readonly prose: number
  /** The most that the summariser reads of the texts, in tokens. */
  readonly maxBlock: number
  readonly focusTopic: string | undefined
  readonly tokens: TokenCounter
  readonly memory?: IdentifierMemory
}

/** A model's text takes at most this share of what it reads. */
const MOST_OF_MATERIAL = 0.64

/**
 * The material of a condensed summary: the summaries that it will stand for, oldest first, as far as they were not
 * deleted. Their quoted lines and identifiers compete for its room; only a model's text is written anew.
 */
export function condensedRequest(children: readonly SummaryNode[], input: CondensedInput): NodeRequest {
  const { target, maxBlock, focusTopic, tokens, memory = createIdentifierMemory() } = input
  const read = children.filter(({ forgotten }) => forgotten === undefined)
  const readable = (text: string) => trimSummary(text, Math.floor(maxBlock / read.length), tokens)
  const materialTokens = read.reduce((sum, child) => sum + tokens.countText(materialOf(child)), 0)
  return {
    depth: Math.max(...children.map(({ depth }) => depth)) + 1,
    sourceTokens: read.reduce((sum, child) => sum + child.tokens, 0),
    target,
    prose: Math.min(input.prose, Math.floor(materialTokens * MOST_OF_MATERIAL)),
    material: () =>
      read
        .map(
          (child) =>
            `[s${child.number}, messages m${child.first} to m${child.last}]\n${readable(materialOf(child))}`,
        )
        .join('\n\n'),
    frame: (prose, room) =>
      frameSummary({
        ...{ prose, messages: [], earlier: joinFrames(read), visible: [], memory, scope: 'messages' },
        ...{ focusTopic, tokens },
        ...room,
      }),
  }
}
