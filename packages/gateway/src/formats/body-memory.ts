import type { GrowingList } from '../growing-list.ts'

/** Bytes of all bodies that are remembered. */
const MAX_BYTES = 64 * 1024 * 1024
/** Bodies among which one is looked for: of as many conversations as are held in memory. */
const MAX_BODIES = 64
/** Items at the end of a list that a client may write anew with each request: cache marks move, and answers are tidied. */
const CHANGING = 8
/** Room for a body whose length is not said, in bytes. It grows. */
const FIRST_BYTES = 64 * 1024
/** The part of a body's known beginning that the bytes behind it reach before they are put together. */
const JOINED = 1 / 8

type Bytes = Buffer<ArrayBuffer>

/** The list that makes a body large. */
export interface ReadItems {
  /** Frozen. */
  readonly items: readonly unknown[]
  /** The place behind each item in the body. */
  readonly ends: GrowingList<number>
  /** The place of the first item. */
  readonly start: number
}

/** A body as it came, in two pieces. */
export interface ReceivedBody {
  /** The name of the list that makes it large. */
  readonly list: string
  /** Bytes of a body that came before, which begins alike. They end with an item of the list. */
  readonly head: Bytes
  /** The bytes behind them. */
  readonly tail: Bytes
  /** The items that the body shares with the one before, all of `head` among them. Undefined when it shares none. */
  readonly known: ReadItems | undefined
  /** The list of this body is known from now on. */
  remember(read: ReadItems): void
}

/** A body that is on its way. */
export interface Upload {
  /** Bytes that came so far. */
  readonly size: number
  take(chunk: Uint8Array): void
  end(): ReceivedBody
}

/**
 * The bodies that were read last. Clients send their whole list each time, and most of it is what it was: it is found by
 * its bytes while they arrive, and its items are the same objects again, so that all that was found out about them holds.
 * Bytes that are known are not kept a second time.
 */
export interface BodyMemory {
  /**
   * @param list the name of the list that makes the body large.
   * @param declared the size that the request says, in bytes. Default: it says none.
   */
  begin(list: string, declared?: number): Upload
}

interface RememberedBody extends ReadItems {
  readonly list: string
  readonly head: Bytes
  readonly tail: Bytes
}

const NOTHING: Bytes = Buffer.alloc(0)

export function createBodyMemory(): BodyMemory {
  /** The latest last. */
  let bodies: readonly RememberedBody[] = []

  const remember = (body: RememberedBody, before: RememberedBody | undefined): void => {
    const all = [...bodies.filter((one) => one !== before), body].slice(-MAX_BODIES)
    let room = MAX_BYTES
    bodies = all.slice(
      all.findLastIndex(({ head, tail }) => {
        room -= head.length + tail.length
        return room < 0
      }) + 1,
    )
  }

  return {
    begin(list, declared = 0) {
      /** Those that begin with all that came, until none does. */
      let alike = bodies.filter((body) => body.list === list)
      let size = 0
      let parted: Parted | undefined

      const part = (chunk: Uint8Array): Parted => {
        const shared = sharedPart(alike, chunk, size)
        const from = shared?.head.length ?? 0
        const length = size + chunk.length - from
        const known = shared?.before ?? alike[0]
        const pieces = known === undefined ? [] : bytesBetween(known, from, size)
        const tail = Buffer.allocUnsafeSlow(Math.max(declared - from, length) || FIRST_BYTES)
        return {
          shared,
          tail: appended(tail, 0, [...pieces, chunk.subarray(Math.max(0, from - size))]),
          length,
        }
      }

      return {
        get size() {
          return size
        },
        take(chunk) {
          if (parted === undefined) {
            const goOn = alike.filter((body) => isAt(body, size, chunk))
            if (goOn.length > 0) alike = goOn
            else parted = part(chunk)
          } else {
            parted.tail = appended(parted.tail, parted.length, [chunk])
            parted.length += chunk.length
          }
          size += chunk.length
        },
        end() {
          const { shared, tail: room, length } = parted ?? part(NOTHING)
          const head = shared?.head ?? NOTHING
          const tail = room.subarray(0, length)
          const before = shared?.goesOn === true ? shared.before : undefined
          return {
            list,
            head,
            tail,
            known: shared?.known,
            remember: (read) => remember({ list, ...joined({ head, tail }, read), ...read }, before),
          }
        },
      }
    },
  }
}

/** A body behind the place where it parts from all that are known. */
interface Parted {
  readonly shared: SharedPart | undefined
  tail: Bytes
  /** Bytes of `tail` that are filled. */
  length: number
}

/** The part that a body shares with one that is known. */
interface SharedPart {
  readonly before: RememberedBody
  readonly head: Bytes
  readonly known: ReadItems
  /** Whether the body goes on from that one. */
  readonly goesOn: boolean
}

/** @param bodies all of them begin with the same `size` bytes, behind which the chunk comes. */
function sharedPart(
  bodies: readonly RememberedBody[],
  chunk: Uint8Array,
  size: number,
): SharedPart | undefined {
  let [before, most]: [RememberedBody | undefined, number] = [undefined, 0]
  for (const body of bodies) {
    const count = sharedItems(body, chunk, size)
    if (count > most) [before, most] = [body, count]
  }
  if (before === undefined) return undefined
  const { items, ends, start } = before
  return {
    before,
    head: before.head.subarray(0, ends.at(most - 1)),
    known: { items: most === items.length ? items : items.slice(0, most), ends: ends.first(most), start },
    goesOn: most >= items.length - CHANGING,
  }
}

/** The number of items at the beginning of a known body that another one has, too. */
function sharedItems(body: RememberedBody, chunk: Uint8Array, size: number): number {
  const { ends } = body
  let [low, high] = [0, ends.length]
  let same = size
  const isShared = (end: number) =>
    end <= size || (end <= size + chunk.length && isAt(body, same, chunk.subarray(same - size, end - size)))
  // Most bodies are of other conversations.
  if (!isShared(ends.at(0) ?? 0)) return 0
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const end = ends.at(middle - 1) ?? 0
    if (isShared(end)) {
      low = middle
      same = Math.max(same, end)
    } else high = middle - 1
  }
  // A number may go on behind its last digit.
  while (low > 0 && !CLOSING.has(byteAt(body, (ends.at(low - 1) ?? 0) - 1))) low--
  return low
}

/** The bytes that end a text, a list or an object. */
const CLOSING: ReadonlySet<number | undefined> = new Set([...Buffer.from('"]}')])

type Pieces = Pick<ReceivedBody, 'head' | 'tail'>

function isAt(body: Pieces, from: number, chunk: Uint8Array): boolean {
  const { length } = chunk
  if (from + length > body.head.length + body.tail.length) return false
  // Two bodies that differ mostly do so right before the end: a look there costs less than a comparison.
  for (let back = 3; back <= 5; back++)
    if (back <= length && byteAt(body, from + length - back) !== chunk[length - back]) return false
  let at = 0
  return bytesBetween(body, from, from + length).every((piece) => {
    const begin = at
    at += piece.length
    return piece.compare(chunk, begin, at) === 0
  })
}

/** The bytes of a body between two places, without a copy. */
export function bytesBetween({ head, tail }: Pieces, from: number, to = head.length + tail.length): Bytes[] {
  const pieces = [
    head.subarray(from, to),
    tail.subarray(Math.max(0, from - head.length), Math.max(0, to - head.length)),
  ]
  return pieces.filter(({ length }) => length > 0)
}

export function byteAt({ head, tail }: Pieces, place: number): number | undefined {
  return place < head.length ? head[place] : tail[place - head.length]
}

/** Bytes with pieces behind the first `length`; in a new place when there is no room. */
function appended(bytes: Bytes, length: number, pieces: readonly Uint8Array[]): Bytes {
  const size = pieces.reduce((sum, piece) => sum + piece.length, length)
  const all = size <= bytes.length ? bytes : Buffer.concat([bytes.subarray(0, length)], 2 * size)
  let at = length
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** The pieces of a body as they are remembered: the next one copies what is behind the head. */
function joined({ head, tail }: Pieces, { ends }: ReadItems): Pieces {
  const end = (ends.at(-1) ?? 0) - head.length
  if (end <= Math.max(FIRST_BYTES, head.length * JOINED)) return { head, tail }
  const all = head.length === 0 ? tail.subarray(0, end) : Buffer.concat([head, tail.subarray(0, end)])
  return { head: all, tail: tail.subarray(end) }
}
