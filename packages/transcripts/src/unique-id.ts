/** This id, or the name of its next copy. `ids` counts the copies of each id so far; one that was given out stays as it is. */
export function uniqueId(
  id: string,
  ids: Map<string, number>,
  nameCopy: (id: string, copy: number) => string,
): string {
  let copy = ids.get(id)
  if (copy === undefined) {
    ids.set(id, 0)
    return id
  }
  let unique: string
  do unique = nameCopy(id, ++copy)
  while (ids.has(unique))
  ids.set(id, copy).set(unique, 0)
  return unique
}
