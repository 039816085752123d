/**
 * A list that is never changed. A longer one that goes on from it shares its values, so that adding one costs no copy, however
 * long the list is.
 */
export class GrowingList<Value> {
  /** Those of longer lists behind them. */
  readonly #values: Value[]
  readonly length: number

  constructor(values: Value[] = [], length = values.length) {
    this.#values = values
    this.length = length
  }

  /** @param index a negative one counts from the end. */
  at(index: number): Value | undefined {
    const place = index < 0 ? this.length + index : index
    return place < this.length ? this.#values[place] : undefined
  }

  slice(from = 0): Value[] {
    return this.#values.slice(from, this.length)
  }

  /** Its beginning. */
  first(count: number): GrowingList<Value> {
    return new GrowingList(this.#values, count)
  }

  /** The list with a value behind it. */
  with(value: Value): GrowingList<Value> {
    const { length } = this
    const isFree = this.#values.length === length || this.#values[length] === value
    const values = isFree && length > 0 ? this.#values : this.slice()
    values[length] = value
    return new GrowingList(values, length + 1)
  }
}
