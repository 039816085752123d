import type { ContextLine } from './context-change.ts'

export type ContextRow =
  | {
      readonly type: 'message'
      readonly key: string
      readonly index: number
      readonly change: 'kept' | 'added' | 'changed' | 'removed'
      readonly before?: number
    }
  | {
      readonly type: 'run'
      readonly key: string
      readonly change: 'kept' | 'removed'
      readonly indexes: readonly number[]
      readonly isOpen: boolean
    }

interface ContextRowsOptions {
  readonly onlyChanges: boolean
  readonly open: ReadonlySet<string>
}

export function contextRows(
  lines: readonly ContextLine[],
  { onlyChanges, open }: ContextRowsOptions,
): readonly ContextRow[] {
  const rows: ContextRow[] = []
  let kept: number[] = []
  const addRun = (change: 'kept' | 'removed', indexes: readonly number[]) => {
    if (indexes.length === 0) return
    const key = `${change} ${indexes[0]}`
    const isOpen = open.has(key)
    rows.push({ type: 'run', key, change, indexes, isOpen })
    if (!isOpen) return
    for (const index of indexes)
      rows.push({ type: 'message', key: `${change} message ${index}`, index, change })
  }
  for (const line of lines) {
    if (line.type === 'kept' && onlyChanges) {
      kept.push(line.index)
      continue
    }
    addRun('kept', kept)
    kept = []
    if (line.type === 'removed') addRun('removed', line.indexes)
    else {
      const before = line.type === 'changed' ? { before: line.before } : {}
      rows.push({
        type: 'message',
        key: `message ${line.index}`,
        index: line.index,
        change: line.type,
        ...before,
      })
    }
  }
  addRun('kept', kept)
  return rows
}
