/** Bytes of all bodies that are remembered. */
const MAX_BYTES = 64 * 1024 * 1024
/** Bodies among which one is looked for: of as many conversations as are held in memory. */
const MAX_BODIES = 64
/** Items at the end of a list that a client may write anew with each request: cache marks move, and answers are tidied. */
const CHANGING = 8

/** The items of a body's list, frozen, with the place behind each in its bytes. */
export interface ReadItems {
  readonly items: readonly unknown[]
  readonly ends: readonly number[]
}

interface RememberedBody extends ReadItems {
  readonly bytes: Buffer
}

/** The beginning of a body that is known. */
export interface KnownItems extends ReadItems {
  /** The body before it, when this one goes on from that. */
  readonly before?: RememberedBody
}

/**
 * The bodies that were read last. Clients send their whole list each time, and most of it is what it was: it is found by
 * its bytes, and its items are the same objects again, so that all that was found out about them holds.
 */
export interface BodyMemory {
  find(bytes: Buffer): KnownItems
  /** Remembers a body instead of the one that it goes on from. */
  remember(bytes: Buffer, read: ReadItems, before: RememberedBody | undefined): void
}

export function createBodyMemory(): BodyMemory {
  /** The latest last. */
  let bodies: readonly RememberedBody[] = []
  return {
    find(bytes) {
      let longest: KnownItems = { items: [], ends: [] }
      for (const body of bodies) {
        const count = commonItems(body, bytes)
        if (count <= longest.items.length) continue
        const common = { items: body.items.slice(0, count), ends: body.ends.slice(0, count) }
        longest = count >= body.items.length - CHANGING ? { ...common, before: body } : common
      }
      return longest
    },
    remember(bytes, { items, ends }, before) {
      const all = [...bodies.filter((body) => body !== before), { bytes, items, ends }].slice(-MAX_BODIES)
      let room = MAX_BYTES
      bodies = all.slice(
        all.findLastIndex((body) => {
          room -= body.bytes.length
          return room < 0
        }) + 1,
      )
    },
  }
}

/** Items at the beginning of both: all of the known ones, or all but the last one, two, four and so on. */
function commonItems({ bytes: known, ends }: RememberedBody, bytes: Buffer): number {
  // Two bodies that differ mostly do so right before the end: a look there costs less than a comparison.
  const isAlike = (end: number) =>
    bytes[end - 3] === known[end - 3] &&
    bytes[end - 4] === known[end - 4] &&
    bytes[end - 5] === known[end - 5]
  const isCommon = (end = 0) =>
    end <= bytes.length && isAlike(end) && bytes.compare(known, 0, end, 0, end) === 0
  // Most bodies are of other conversations.
  if (!isCommon(ends[0])) return 0
  for (let back = 0; back < ends.length; back = Math.max(1, back * 2))
    if (isCommon(ends[ends.length - 1 - back])) return ends.length - back
  return 0
}
