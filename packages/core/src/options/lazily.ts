/** A value that is made when it is asked for the first time: importing a module does not wait for what may never be used. */
export function lazily<Value extends {}>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
