/** Characters of all bodies that are remembered. */
const MAX_CHARS = 64 * 1024 * 1024
/** Bodies among which one is looked for: of as many conversations as are held in memory. */
const MAX_BODIES = 64
/** Items at the end of a list that a client may write anew with each request: cache marks move, and answers are tidied. */
const CHANGING = 8

/** The items of a body's list, frozen, with the place behind each in its text. */
export interface ReadItems {
  readonly items: readonly unknown[]
  readonly ends: readonly number[]
}

interface RememberedBody extends ReadItems {
  readonly text: string
}

/** The beginning of a body that is known. */
export interface KnownItems extends ReadItems {
  /** The body before it, when this one goes on from that. */
  readonly before?: RememberedBody
}

/**
 * The bodies that were read last. Clients send their whole list each time, and most of it is what it was: it is found by
 * its text, and its items are the same objects again, so that all that was found out about them holds.
 */
export interface BodyMemory {
  find(text: string): KnownItems
  /** Remembers a body instead of the one that it goes on from. */
  remember(text: string, read: ReadItems, before: RememberedBody | undefined): void
}

export function createBodyMemory(): BodyMemory {
  /** The latest last. */
  let bodies: readonly RememberedBody[] = []
  return {
    find(text) {
      let longest: KnownItems = { items: [], ends: [] }
      for (const body of bodies) {
        const count = commonItems(body, text)
        if (count <= longest.items.length) continue
        const common = { items: body.items.slice(0, count), ends: body.ends.slice(0, count) }
        longest = count >= body.items.length - CHANGING ? { ...common, before: body } : common
      }
      return longest
    },
    remember(text, { items, ends }, before) {
      const all = [...bodies.filter((body) => body !== before), { text, items, ends }].slice(-MAX_BODIES)
      let room = MAX_CHARS
      bodies = all.slice(
        all.findLastIndex((body) => {
          room -= body.text.length
          return room < 0
        }) + 1,
      )
    },
  }
}

/** Items at the beginning of both: all of the known ones, or all but the last one, two, four and so on. */
function commonItems({ text: known, ends }: RememberedBody, text: string): number {
  for (let back = 0; back < ends.length; back = Math.max(1, back * 2))
    if (hasBeginning(text, known, ends[ends.length - 1 - back] ?? 0)) return ends.length - back
  return 0
}

/** Comparing whole strings is as fast as memory is. */
function hasBeginning(text: string, other: string, length: number): boolean {
  return text.length >= length && text.slice(0, length) === other.slice(0, length)
}
