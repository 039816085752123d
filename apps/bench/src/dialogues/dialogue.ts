import type { Message } from '@palimpsest/core'

/** A requirement of a dialogue: what is to be built, what it is called, and what was said about it. */
export interface Topic {
  /** Two words, such as `voucher import`. */
  readonly title: string
  /** Its path, class, function and helper: named when the topic comes up, and in tool calls. */
  readonly names: readonly string[]
  readonly items: readonly Item[]
}

/** What an item is about: only the first two are what people call decisions. */
export const ITEM_KINDS = ['setting', 'technology', 'special case', 'rule', 'parameter', 'place'] as const

export type ItemKind = (typeof ITEM_KINDS)[number]

/** One piece of information that a user gives about a topic. */
export interface Item {
  readonly kind: ItemKind
  /** Words that say what it is about; no other item of the dialogue has them all. */
  readonly subject: readonly string[]
  /** What holds in the end: a number, a technology, a name. */
  readonly value: string
  /** Index of the message with which the value holds: stated, corrected, or accepted. */
  readonly settledAt: number
  /** What was said first and corrected later, with the index of its message. */
  readonly wrong?: { readonly value: string; readonly statedAt: number }
}

/** A user's question that needs what was said about a topic. It holds words of the subjects, none of the values. */
export interface Probe {
  /** Index of the user's message. */
  readonly message: number
  readonly topic: Topic
}

/** A generated conversation, with what a perfect memory would know at each probe. */
export interface Dialogue {
  readonly seed: number
  readonly messages: readonly Message[]
  readonly topics: readonly Topic[]
  readonly probes: readonly Probe[]
}

/** The items of a probe's topic that hold by then. */
export function settledItems({ topic, message }: Probe): readonly Item[] {
  return topic.items.filter(({ settledAt }) => settledAt < message)
}
