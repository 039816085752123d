import type { Item, ItemKind } from '../dialogues/dialogue.ts'

export interface Fact {
  /** The subject: `the quota of the voucher import`, `where the test data of the voucher import belongs`. */
  readonly about: string
  /** The value that holds; null for what was never stated. */
  readonly value: string | null
  /** A value that was said first and is wrong; null where there is none. */
  readonly wrong: string | null
  /** The item of the dialogue; null for what was never stated. */
  readonly item: Item | null
}

export interface StatedFact extends Fact {
  readonly value: string
  readonly item: Item
}

const ABOUT: Readonly<Record<ItemKind, (about: string, title: string) => string>> = {
  setting: (about, title) => `the ${about} of the ${title}`,
  technology: (about, title) => `what the ${title} uses for its ${about}`,
  'special case': (about, title) => `what the ${title} returns when the ${about} is missing`,
  rule: (about, title) => `what must have run before the ${title} may ${about}`,
  parameter: (about, title) => `what holds the ${about} in the ${title}`,
  'function number': (about, title) => `the ${about} of the ${title}`,
  place: (about, title) => `where the ${about} of the ${title} belongs`,
}

export function statedFact(item: Item, title: string): StatedFact {
  return {
    about: ABOUT[item.kind](aboutOf(item), title),
    value: item.value,
    wrong: item.wrong?.value ?? null,
    item,
  }
}

export function aboutOf({ subject }: Item): string {
  return subject.slice(1).join(' ')
}
