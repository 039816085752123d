/** One wording, shared by all its mentions in all messages. */
export interface Wording {
  readonly text: string
  /** A small number of its own, so that sums over many mentions are kept in an array and not in a map. */
  readonly id: number
}

const wordings = new Map<string, WeakRef<Wording>>()
const freeIds: number[] = []
let nextId = 0

const forget = new FinalizationRegistry<Wording>(({ text, id }) => {
  freeIds.push(id)
  if (wordings.get(text)?.deref() === undefined) wordings.delete(text)
})

/** The one object for a wording. It lives as long as a digest that mentions it; then its number is used again. */
export function wordingOf(text: string): Wording {
  const known = wordings.get(text)?.deref()
  if (known !== undefined) return known
  // A slice would keep the whole text alive that it was cut from.
  const own = text.split('').join('')
  const wording: Wording = { text: own, id: freeIds.pop() ?? nextId++ }
  wordings.set(own, new WeakRef(wording))
  forget.register(wording, { ...wording })
  return wording
}

/** All numbers of wordings are below this one. */
export function wordingIdLimit(): number {
  return nextId
}
