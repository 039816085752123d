export interface TreeNode {
  readonly id: string
  /** Null at a root. Undefined, or an id that does not occur earlier in the file: the link is lost. */
  readonly parent: string | null | undefined
}

/**
 * Ids of the entries from `leaf`, an index into `nodes`, back to its root. A lost link falls back to the previous entry
 * of the file, so that a damaged line does not cut off the history. Linear; cycles end, because every step goes back in
 * the file.
 */
export function activeBranch(nodes: readonly TreeNode[], leaf: number): Set<string> {
  const indexes = new Map<string, number>()
  nodes.forEach(({ id }, index) => {
    if (!indexes.has(id)) indexes.set(id, index)
  })
  const branch = new Set<string>()
  let index = leaf
  for (let node = nodes[index]; node !== undefined; node = nodes[index]) {
    branch.add(node.id)
    if (node.parent === null) break
    const parent = node.parent === undefined ? undefined : indexes.get(node.parent)
    index = parent !== undefined && parent < index ? parent : index - 1
  }
  return branch
}
