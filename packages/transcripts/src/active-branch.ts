/** An entry of a session that is recorded as a tree. */
export interface TreeNode {
  readonly id: string
  /** Null at a root. Undefined, or an id that does not come earlier in the file: the link is lost. */
  readonly parent: string | null | undefined
}

/**
 * Ids of the entries on the way from `leaf`, an index into `nodes`, back to its root: the branch that the user
 * ended on. Where a link is lost, the entry before it in the file is taken for the parent, so that one damaged
 * line does not cost the history before it. Linear; cycles end, because every step goes back in the file.
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
