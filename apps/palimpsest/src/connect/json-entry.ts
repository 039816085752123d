import { isDeepStrictEqual } from 'node:util'
import { lineAt } from '@palimpsest/core'
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'

/** One property of an object, or one item of an array, in a JSON or JSONC file. */
export interface JsonEntry {
  /** Of the object or array that holds it. What is missing of it is made. */
  readonly path: readonly string[]
  /** Missing: an item of an array. */
  readonly key?: string
  readonly value: unknown
  /** Finds it in a file, as the property or item that is to go, or undefined. */
  find(root: Node): Node | undefined
}

/**
 * Adds an entry. All other bytes stay, and `removeJsonEntry` takes back exactly what was added: an object or array that
 * was empty gets its entry directly behind the bracket, so that it can be told from one that was made for the entry.
 *
 * @throws Error that says why it cannot be done.
 */
export function addJsonEntry(text: string | undefined, entry: JsonEntry): string {
  const source = text ?? '{}'
  const root = parsed(source)
  if (entry.find(root) !== undefined) return source
  const eol = source.includes('\r\n') ? '\r\n' : '\n'
  const unit = text === undefined ? '  ' : indentUnit(source, root)
  const full: JSONPath = entry.key === undefined ? [...entry.path] : [...entry.path, entry.key]
  let depth = 0
  let container = root
  for (; depth < entry.path.length; depth++) {
    const next = findNodeAtLocation(container, [entry.path[depth] ?? ''])
    if (next === undefined) break
    container = next
  }
  const isArray = entry.key === undefined && depth === entry.path.length
  if (container.type !== (isArray ? 'array' : 'object'))
    throw new Error(`"${entry.path.slice(0, depth).join('.')}" is no ${isArray ? 'list' : 'object'}`)
  const rest = full.slice(depth + 1)
  const value = rest.reduceRight<unknown>(
    (inner, key) => ({ [key]: inner }),
    entry.key === undefined && !isArray ? [entry.value] : entry.value,
  )
  const json = JSON.stringify(value, null, unit)
  const key = isArray ? '' : `${JSON.stringify(full[depth])}: `
  const made = text === undefined
  const changed = insert(source, container, (indent) => `${key}${json}`.replaceAll('\n', eol + indent), {
    eol,
    unit,
    made,
  })
  const written = parsed(changed)
  if (entry.find(written) === undefined) throw new Error('it is of a shape that is not understood')
  return made ? changed + eol : changed
}

/** Takes an entry away, with the objects and arrays that were made for it. Undefined: nothing is left. */
export function removeJsonEntry(text: string, entry: JsonEntry): string | undefined {
  let left = text
  for (;;) {
    const root = parsed(left)
    const found = entry.find(root)
    if (found === undefined) return left
    let node = found
    while (node.parent !== undefined && wasMadeFor(left, node, node.parent))
      node = node.parent.parent?.type === 'property' ? node.parent.parent : node.parent
    if (node.parent === undefined) {
      if ((left.slice(0, node.offset) + left.slice(node.offset + node.length)).trim() === '') return undefined
      node = root.children?.[0] ?? found
    }
    const shorter = cut(left, node)
    if (isDeepStrictEqual(getNodeValue(parsed(shorter)), getNodeValue(root)))
      throw new Error('it is of a shape that is not understood')
    left = shorter
  }
}

function parsed(text: string): Node {
  const errors: ParseError[] = []
  // A byte order mark is no JSON, and stays where it is.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true })
  const [error] = errors
  if (root === undefined || error !== undefined) {
    const line = lineAt(text, error?.offset ?? 0)
    throw new Error(text.trim() === '' ? 'it is empty' : `line ${line} is not valid JSON`)
  }
  if (root.type !== 'object') throw new Error('it holds no JSON object')
  return root
}

interface Layout {
  readonly eol: string
  readonly unit: string
  /** The container is made for the entry, too. */
  readonly made: boolean
}

function insert(
  text: string,
  container: Node,
  render: (indent: string) => string,
  { eol, unit, made }: Layout,
): string {
  const [first, last] = [container.children?.at(0), container.children?.at(-1)]
  if (first === undefined || last === undefined) {
    const indent = made ? unit : indentAt(text, container.offset)
    const at = container.offset + 1
    const entry = made ? eol + indent + render(indent) + eol : render(indent)
    return text.slice(0, at) + entry + text.slice(at)
  }
  const end = last.offset + last.length
  const comma = commaBehind(text, end)
  const behind = commentsBehind(text, comma ?? end)
  const isOneLine = !/[\r\n]/.test(text.slice(container.offset, first.offset))
  const indent = indentAt(text, first.offset)
  const entry = (isOneLine && !behind.isLine ? ' ' : eol + indent) + render(indent)
  if (comma !== undefined) return `${text.slice(0, behind.end)}${entry},${text.slice(behind.end)}`
  return `${text.slice(0, end)},${text.slice(end, behind.end)}${entry}${text.slice(behind.end)}`
}

/** Removes a property or an item, its whitespace, and one comma: the one behind it, else the one before. */
function cut(text: string, node: Node): string {
  const end = node.offset + node.length
  const siblings = node.parent?.children ?? []
  const previous = siblings[siblings.indexOf(node) - 1]
  const isBehindBracket = previous === undefined
  const start =
    isBehindBracket && siblings.length > 1
      ? node.offset
      : text.slice(0, node.offset).replace(/(?:\r?\n[ \t]*| )$/, '').length
  const comma = commaBehind(text, end)
  if (comma !== undefined) {
    const rest = text.slice(end, comma - 1) + text.slice(comma)
    return text.slice(0, start) + (isBehindBracket ? rest.trimStart() : rest)
  }
  const before = previous && commaBehind(text, previous.offset + previous.length)
  if (before === undefined) return text.slice(0, start) + text.slice(end)
  return text.slice(0, before - 1) + text.slice(before, start) + text.slice(end)
}

/** Whether a container holds this alone, with whitespace around it. */
function wasMadeFor(text: string, node: Node, container: Node): boolean {
  if (container.children?.length !== 1) return false
  const before = text.slice(container.offset + 1, node.offset)
  const after = text.slice(node.offset + node.length, container.offset + container.length - 1)
  return before !== '' && (before + after).trim() === ''
}

/** The end of the comma that follows, if one does. */
function commaBehind(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  return text[scanner.getTokenOffset()] === ',' ? scanner.getPosition() : undefined
}

/** The end of the comments that follow on the same line. */
function commentsBehind(text: string, from: number): { end: number; isLine: boolean } {
  const scanner = createScanner(text)
  scanner.setPosition(from)
  for (let end = from; ; ) {
    scanner.scan()
    const token = text.slice(scanner.getTokenOffset(), scanner.getPosition())
    if (token.startsWith('//')) return { end: scanner.getPosition(), isLine: true }
    if (token.startsWith('/*')) end = scanner.getPosition()
    else if (!/^[ \t]+$/.test(token)) return { end, isLine: false }
  }
}

/** The whitespace that a line begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function indentUnit(text: string, root: Node): string {
  const first = root.children?.[0]
  return (first && indentAt(text, first.offset)) || '  '
}
