/**
 * The writer of a summary:
 * - `model`: the host's model.
 * - `extractive`: no model; sentences and facts taken from the sources.
 * - `pointer`: no writer; it names what it covers and how to read it.
 */
export type SummaryWriter = 'model' | 'extractive' | 'pointer'

/**
 * A node of the summary DAG: text that stands for an unbroken run of messages. Nodes are never changed; another
 * frontier is another list of nodes.
 */
export interface SummaryNode {
  /** Number in its session, from 1. Tools call it `s<number>`. */
  readonly number: number
  /** 0 for a leaf, which covers messages; one more than its deepest child for a condensed summary. */
  readonly depth: number
  /** The first and the last message that it covers. Replaced messages between them are not covered. */
  readonly first: number
  readonly last: number
  readonly messages: number
  /** Numbers of the summaries that it condenses, in order. Empty for a leaf. */
  readonly children: readonly number[]
  readonly text: string
  readonly tokens: number
  /** Tokens of the messages that it covers. */
  readonly sourceTokens: number
  readonly writer: SummaryWriter
  /** When it was written, in milliseconds since the epoch. */
  readonly at: number
  /** When the first and the last message that it covers were stored. */
  readonly from: number
  readonly to: number
  /** `hashSummary` of the node: proves that nothing of it changed. */
  readonly hash: string
  /** Its text was deleted because it covers a message that was forgotten. */
  readonly forgotten?: { readonly at: number; readonly reason: string }
}
