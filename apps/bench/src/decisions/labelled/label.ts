/** What a message does with a choice. */
export type LabelKind = 'assert' | 'propose' | 'accept' | 'retract'

/** What a careful reader says that a message decides, proposes, takes up or takes back. */
export interface Label {
  /** The kinds that are right; the first one is the one that it is counted under. */
  readonly kinds: readonly [LabelKind, ...LabelKind[]]
  /** A slot of the dictionary, `setting:…`, `name:<old name>`, `rule`, `location`, or `any` where the dictionary has none. */
  readonly slot: string
  /** As it stands in the text; of a rule, a phrase that its span must contain; empty for a whole slot. */
  readonly value: string
  /** The old value, where the text names it. */
  readonly replaces?: string
  /** The part of the project, where the text names it. */
  readonly area?: string
  /** True where careful readers may differ: counts neither as a miss nor as a false alarm. */
  readonly isOptional?: boolean
}

type Details = Pick<Label, 'replaces' | 'area'>

/** The user states a choice. */
export const assert = (slot: string, value: string, details: Details = {}): Label => ({
  kinds: ['assert'],
  slot,
  value,
  ...details,
})

/** The assistant suggests or announces a choice. */
export const propose = (slot: string, value: string, details: Details = {}): Label => ({
  kinds: ['propose'],
  slot,
  value,
  ...details,
})

/** The user takes up what the assistant proposed. */
export const accept = (slot: string, value: string, details: Details = {}): Label => ({
  kinds: ['accept'],
  slot,
  value,
  ...details,
})

/** The user names one of the options that the assistant gave: a statement and an acceptance at once. */
export const pick = (slot: string, value: string, details: Details = {}): Label => ({
  kinds: ['assert', 'accept'],
  slot,
  value,
  ...details,
})

/** Something no longer holds, and nothing takes its place. An empty value: the whole slot. */
export const retract = (slot: string, value: string, details: Details = {}): Label => ({
  kinds: ['retract'],
  slot,
  value,
  ...details,
})

/** The user lays down a rule; the phrase is what its span must contain. */
export const rule = (phrase: string): Label => ({ kinds: ['assert'], slot: 'rule', value: phrase })

/** Careful readers may differ. */
export const maybe = (label: Label): Label => ({ ...label, isOptional: true })
