import type { Slot } from '../section-headings.ts'

/** One line of a summary. */
export interface Item {
  /** Where it stands. A heading that is not of the template is kept as it was. */
  readonly slot: Slot | { readonly heading: string }
  /** The line without its bullet. One line: it cannot start a heading. */
  readonly text: string
  /** Number of the user turn it belongs to; -1 when unknown. */
  readonly turn: number
  /** 0 to 1 within its slot: how much it matters apart from its age. */
  readonly weight: number
  /** True for what holds until it is revoked, so that age does not fade it. */
  readonly lasting?: boolean
}

/** A short quotation mark pair around a statement, so that a summary shows what was said by somebody. */
export function quote(text: string): string {
  return `"${text}"`
}

/** The turn as it stands in front of an item: `t12 `, or nothing when unknown or before the first. */
export function turnMark(turn: number): string {
  return turn < 1 ? '' : `t${turn} `
}

/** The turn that an item's text begins with, or -1. */
export function turnOf(text: string): number {
  const match = /^t(\d{1,7}) /.exec(text)
  return match?.[1] === undefined ? -1 : Number(match[1])
}

/** What two items have in common when they say the same: case, quotes, marks and turns apart. */
export function itemKey(text: string): string {
  return text
    .replace(/^t\d{1,7} /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
