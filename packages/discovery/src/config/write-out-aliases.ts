import { type Document, isNode, visit } from 'yaml'
import type { TextEdit } from './text-edit.ts'

/** Replaces each alias to one of the nodes by the value that it stands for, as JSON, which is YAML too. */
export function writeOutAliases(document: Document, nodes: readonly unknown[]): TextEdit[] {
  const edits: TextEdit[] = []
  visit(document, {
    Alias(_, alias) {
      const target = alias.resolve(document)
      if (!isNode(target) || !nodes.includes(target) || !alias.range) return
      const [start, end] = alias.range
      edits.push({ start, end, text: JSON.stringify(target.toJS(document)) })
    },
  })
  return edits
}
