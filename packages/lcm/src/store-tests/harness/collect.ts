export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const value of values) collected.push(value)
  return collected
}

/** A list as something that is read piece by piece. */
export async function* eachOf<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}
