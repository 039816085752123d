import { type Document, isAlias, isMap, isNode, isScalar, parse, visit, type YAMLMap } from 'yaml'
import {
  addInBraces,
  addLineBelow,
  addLinesAtBottom,
  type ParsedPair,
  replaceNode,
  setValue,
  type TextEdit,
  type YamlLayout,
  yamlLayout,
} from './yaml-edits.ts'

export interface EngineEditsInput {
  readonly text: string
  /** Of the text: without errors, with source tokens, a map or nothing at its top. */
  readonly document: Document.Parsed
  /** The document's value of `context`. */
  readonly context: object
  readonly name: string
}

/** The edits of a configuration's text that set `context.engine` to a name. */
export function engineEdits({ text, document, context, name }: EngineEditsInput): TextEdit[] {
  const root = document.contents
  const layout = yamlLayout(text, root?.range[1] ?? 0)
  const member = `engine: ${yamlScalar(name)}`

  if (!isMap(root)) {
    if (root === null || root.range[0] === root.range[1])
      return [addLinesAtBottom(text, layout, ['context:', `  ${member}`])]
    return [replaceNode(text, root, `{context: {${member}}}`)]
  }
  const indent = layout.indentAt(root.range[0])
  const deeper = indent + indentStep(root, layout)
  const pair = findPair(root, 'context')
  if (pair === undefined) {
    if (root.flow === true) return [addInBraces(text, root, `context: {${member}}`)]
    return [addLinesAtBottom(text, layout, [`${indent}context:`, deeper + member])]
  }
  const { value } = pair
  if (isAlias(value)) return [replaceNode(text, value, JSON.stringify({ ...context, engine: name }))]
  if (!isMap(value)) {
    const isBare = root.flow !== true && value !== null && value.range[0] === value.range[1]
    const edit = isBare ? addLineBelow(layout, pair, deeper + member) : setValue(text, pair, `{${member}}`)
    return [edit, ...writeOutAliases(document, [value])]
  }
  const engine = findPair(value, 'engine')
  if (engine !== undefined) {
    const style = isScalar(engine.value) ? engine.value.type : undefined
    const edit = setValue(text, engine, yamlScalar(name, style))
    return [edit, ...writeOutAliases(document, [value, engine.value])]
  }
  const [first] = value.items
  const edit =
    value.flow === true || first === undefined
      ? addInBraces(text, value, member)
      : addLineBelow(layout, pair, layout.indentAt(first.key.range[0]) + member)
  return [edit, ...writeOutAliases(document, [value])]
}

function findPair(map: YAMLMap.Parsed, key: string): ParsedPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
}

/** By how much the text indents what stands under a key at its top; two spaces where nothing shows it. */
function indentStep(root: YAMLMap.Parsed, { indentAt }: YamlLayout): string {
  const indent = indentAt(root.range[0])
  for (const { value } of root.items) {
    const first = isMap(value) && value.flow !== true ? value.items[0] : undefined
    const step = first === undefined ? '' : indentAt(first.key.range[0]).slice(indent.length)
    if (step !== '') return step
  }
  return '  '
}

/** Replaces each alias to one of the nodes by the value that it stands for, as JSON, which is YAML too. */
function writeOutAliases(document: Document, nodes: readonly unknown[]): TextEdit[] {
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

/**
 * A name as YAML writes it: in the quotes of the value that it replaces, else plain where every version of YAML reads
 * it as a text (not `on` or `null`), else in double quotes.
 *
 * @param name letters, digits and `-._/@` only.
 * @param replaced the parser's style of the value before.
 */
function yamlScalar(name: string, replaced?: string): string {
  if (replaced === 'QUOTE_SINGLE') return `'${name}'`
  const isPlain =
    replaced !== 'QUOTE_DOUBLE' &&
    /^[a-z]/.test(name) &&
    parse(name) === name &&
    parse(name, { version: '1.1' }) === name
  return isPlain ? name : `"${name}"`
}
