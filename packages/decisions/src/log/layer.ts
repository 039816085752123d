/** A map over another one: reads go through to what lies below, writes stay here. What lies below must not change meanwhile. */
export class Layer<Key, Value> {
  readonly #own = new Map<Key, Value>()
  #below: Layer<Key, Value> | undefined

  constructor(below?: Layer<Key, Value>) {
    this.#below = below
  }

  get(key: Key): Value | undefined {
    return this.#own.get(key) ?? this.#below?.get(key)
  }

  /** The value that was set in this layer itself. */
  own(key: Key): Value | undefined {
    return this.#own.get(key)
  }

  set(key: Key, value: Value): void {
    this.#own.set(key, value)
  }

  /** In the order in which they were set first. */
  keys(): Iterable<Key> {
    return this.#below === undefined
      ? this.#own.keys()
      : new Set([...this.#below.keys(), ...this.#own.keys()])
  }

  /** Empties it, and shows nothing of what lies below any more. */
  clear(): void {
    this.#own.clear()
    this.#below = undefined
  }
}
