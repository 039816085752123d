const MAX_SHOWN = 3

/**
 * Known models that a name was probably meant to be, the nearest first: those that share most parts with it, and
 * among these those that begin alike. When none shares two parts: those that begin with the same one.
 */
export function nearestModels(name: string, ids: readonly string[]): readonly string[] {
  const parts = partsOf(name)
  const near = ids.map((id) => {
    const own = partsOf(id)
    const shared = own.filter((part) => parts.includes(part)).length
    return { id, shared, isNear: shared >= Math.min(2, own.length), alike: sameStart(own, parts) }
  })
  const nearest = near.filter(({ isNear }) => isNear)
  return (nearest.length > 0 ? nearest : near.filter(({ alike }) => alike > 0))
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
