import type { TokenCounter } from '@palimpsest/core'
import { trimSummary } from '@palimpsest/core/summarizer'
import { type IdentifierMemory, identifierAppendix, summarizeExtractively } from '@palimpsest/extractive'
import type { SummaryNode } from '../store/summary-node.ts'
import type { NodeRequest } from './write-node.ts'

export interface CondensedInput {
  /** Length to aim at, in tokens. */
  readonly target: number
  /** What the summariser may read of the texts, in tokens. */
  readonly maxBlock: number
  readonly focusTopic: string | undefined
  readonly tokens: TokenCounter
  /** What the session has mentioned so far. */
  readonly memory?: IdentifierMemory
}

/**
 * What to write a condensed summary from: the texts of the summaries that it will stand for, oldest first, as far as
 * they were not deleted.
 */
export function condensedRequest(
  children: readonly SummaryNode[],
  { target, maxBlock, focusTopic, tokens, memory }: CondensedInput,
): NodeRequest {
  const read = children.filter(({ forgotten }) => forgotten === undefined)
  const texts = read.map(({ text }) => text)
  const readable = (text: string) => trimSummary(text, Math.floor(maxBlock / read.length), tokens)
  return {
    depth: Math.max(...children.map(({ depth }) => depth)) + 1,
    sourceTokens: read.reduce((sum, child) => sum + child.tokens, 0),
    target,
    material: () =>
      read
        .map(
          ({ number, first, last, text }) =>
            `[s${number}, messages m${first} to m${last}]\n${readable(text)}`,
        )
        .join('\n\n'),
    extract: (maxTokens) =>
      summarizeExtractively({
        messages: [],
        previousSummary: texts.map((text, index) => asPast(text, index === texts.length - 1)).join('\n\n'),
        maxTokens,
        tokens,
        focusTopic,
        identifiers: [],
      }),
    appendix: (covered, maxTokens) =>
      identifierAppendix({
        messages: [],
        covered,
        previousAppendix: texts.join('\n'),
        maxTokens,
        tokens,
        memory,
      }),
  }
}

/**
 * Each summary counts its turns from 1, so the counts mean nothing beside each other. Its first line goes too, and what was
 * under way and planned then, if another summary tells what came of it.
 */
function asPast(text: string, isLast: boolean): string {
  const plain = text.replace(/^\[Mechanical extract[^\]]*\]\n?/gm, '').replace(/^(\s*[-*] )t\d{1,7} /gm, '$1')
  return isLast ? plain : plain.replace(OUTDATED, '')
}

/** Sections up to the next heading. */
const OUTDATED = /^#{2,3} (?:In Progress|Next Steps)\n(?:(?!#).*(?:\n|$))*/gm
