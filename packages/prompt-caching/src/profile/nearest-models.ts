const MAX_SHOWN = 3

/**
 * Known models that a name was probably meant to be, the nearest first: those that share most parts with it, and
 * among these those that begin alike.
 */
export function nearestModels(name: string, ids: readonly string[]): readonly string[] {
  const parts = partsOf(name)
  return ids
    .map((id) => ({ id, shared: partsOf(id).filter((part) => parts.includes(part)).length }))
    .filter(({ id, shared }) => shared >= Math.min(2, partsOf(id).length))
    .map((near) => ({ ...near, alike: sameStart(partsOf(near.id), parts) }))
    .sort((a, b) => b.shared - a.shared || b.alike - a.alike || a.id.length - b.id.length)
    .slice(0, MAX_SHOWN)
    .map(({ id }) => id)
}

function partsOf(name: string): string[] {
  return name.split(/[^a-z\d]+/).filter((part) => part !== '')
}

function sameStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((part, index) => part !== b[index])
  return end === -1 ? a.length : end
}
