import type { ItemKind } from './dialogue.ts'
import type { Played } from './played.ts'

/** An item that the model was asked about and did not have before it, or had with a value that no longer held. */
export interface MissedItem {
  readonly arm: string
  readonly budget: number
  readonly seed: number
  /** Indexes of the messages: when it was settled, and when it was asked for. */
  readonly settledAt: number
  readonly askedAt: number
  readonly kind: ItemKind
  readonly subject: string
  readonly value: string
  readonly wrong?: string
  readonly isShown: boolean
  readonly isStale: boolean
}

/** What an arm missed in one dialogue. */
export function missesOf({ seed, probes }: Played, arm: string, budget: number): MissedItem[] {
  return probes.flatMap(({ message, items }) =>
    items
      .filter(({ isShown, isStale }) => !isShown || isStale === true)
      .map(({ item, isShown, isStale }) => ({
        arm,
        budget,
        seed,
        settledAt: item.settledAt,
        askedAt: message,
        kind: item.kind,
        subject: item.subject.join(' '),
        value: item.value,
        ...(item.wrong !== undefined && { wrong: item.wrong.value }),
        isShown,
        isStale: isStale === true,
      })),
  )
}
