/** Creates a value on first use, so that importing a module stays cheap. */
export function lazily<Value extends {}>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
