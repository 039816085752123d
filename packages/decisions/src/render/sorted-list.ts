/** Items in an order of which no two have the same place. A few changes cost two moves of memory each; many, one sort. */
export class SortedList<Item> {
  readonly #compare: (a: Item, b: Item) => number
  #items: Item[] = []

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare
  }

  get items(): readonly Item[] {
    return this.#items
  }

  change(removed: readonly Item[], added: readonly Item[]): void {
    if (removed.length + added.length > Math.max(16, this.#items.length / 8)) {
      const gone = new Set(removed)
      this.#items = [...this.#items.filter((item) => !gone.has(item)), ...added].sort(this.#compare)
      return
    }
    for (const item of removed) {
      const index = this.#find(item)
      if (this.#items[index] === item) this.#items.splice(index, 1)
    }
    for (const item of added) this.#items.splice(this.#find(item), 0, item)
  }

  /** The items that pass, from the place of one on, which need not be in the list. */
  from(wanted: Item, passes: (item: Item) => boolean): readonly Item[] {
    const first = this.#find(wanted)
    let end = first
    for (let item = this.#items[end]; item !== undefined && passes(item); item = this.#items[end]) end++
    return this.#items.slice(first, end)
  }

  /** The index of the first item that does not stand before another one. */
  #find(wanted: Item): number {
    let [from, to] = [0, this.#items.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const item = this.#items[middle]
      if (item !== undefined && this.#compare(item, wanted) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}
