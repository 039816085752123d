/** Characters of an answer of a tool, at most. */
export const ANSWER_CHARACTERS = 20_000
/** Characters that an answer aims at: about 4,000 tokens. */
export const USUAL_CHARACTERS = 16_000

/** As many items from the beginning of a list as `characters` of JSON hold. */
export function fitItems<Item>(items: readonly Item[], characters: number): readonly Item[] {
  let size = 0
  const over = items.findIndex((item) => {
    size += JSON.stringify(item).length + 1
    return size > characters
  })
  return over === -1 ? items : items.slice(0, over)
}

/** Lists of one answer: each gets an even share of what those before it left. */
export function fitLists<Lists extends Readonly<Record<string, readonly object[]>>>(
  lists: Lists,
  characters: number,
): { readonly [Name in keyof Lists]: readonly object[] } {
  let left = characters
  const names: (keyof Lists)[] = Object.keys(lists)
  const fitted = names.map((name, index) => {
    const items = fitItems(lists[name] ?? [], left / (names.length - index))
    left -= JSON.stringify(items).length
    return [name, items]
  })
  return Object.fromEntries(fitted)
}
