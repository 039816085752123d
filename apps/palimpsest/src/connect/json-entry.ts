import { lineAt } from '@palimpsest/core'
import {
  applyEdits,
  findNodeAtLocation,
  getNodePath,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'

const BYTE_ORDER_MARK = /^\uFEFF/

export interface JsonEntry {
  readonly path: readonly string[]
  readonly key?: string
  readonly value: unknown
  find(root: Node): Node | undefined
}

export function addJsonEntry(text: string | undefined, { path, key, value, find }: JsonEntry): string {
  const source = text ?? '{}\n'
  const root = parsed(source)
  if (find(root) !== undefined) return source
  for (let depth = 0; depth <= path.length; depth++) {
    const holder = findNodeAtLocation(root, path.slice(0, depth))
    const isArray = key === undefined && depth === path.length
    if (holder !== undefined && holder.type !== (isArray ? 'array' : 'object'))
      throw new Error(`"${path.slice(0, depth).join('.')}" is no ${isArray ? 'list' : 'object'}; correct it`)
  }
  const changed = edited(source, [...path, key ?? -1], value)
  if (find(parsed(changed)) === undefined) throw new Error('its layout is not supported; edit it by hand')
  return changed
}

export function removeJsonEntry(text: string, { find }: JsonEntry): string | undefined {
  for (let left = text; ; ) {
    const found = find(parsed(left))
    if (found === undefined) return left !== text && /^\{\s*\}$/.test(left.trim()) ? undefined : left
    const nodes = [found]
    for (
      let holder = holderOf(found);
      holder?.children?.length === 1 && holder.parent;
      holder = holderOf(holder)
    )
      nodes.unshift(holder)
    // A trailing comma may remain after the removed entry; less is then removed.
    const shorter = nodes.map((node) => edited(left, getNodePath(node), undefined)).find(isValid)
    if (shorter === undefined) throw new Error('its layout is not supported; edit it by hand')
    left = shorter
  }
}

function isValid(text: string): boolean {
  const errors: ParseError[] = []
  parseTree(text.replace(BYTE_ORDER_MARK, ' '), errors, { allowTrailingComma: true })
  return errors.length === 0
}

function holderOf({ parent }: Node): Node | undefined {
  return parent?.type === 'property' ? parent.parent : parent
}

function edited(text: string, path: JSONPath, value: unknown): string {
  // A byte order mark is kept outside of the JSON.
  const [, mark = '', json = ''] = /^(\uFEFF?)([\s\S]*)$/.exec(text) ?? []
  const unit = /^[ \t]+/m.exec(json)?.[0] ?? '  '
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
    eol: json.includes('\r\n') ? '\r\n' : '\n',
  }
  return mark + applyEdits(json, modify(json, path, value, { formattingOptions }))
}

function parsed(text: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text.replace(BYTE_ORDER_MARK, ' '), errors, { allowTrailingComma: true })
  const [error] = errors
  if (root === undefined || error !== undefined) {
    const line = lineAt(text, error?.offset ?? 0)
    throw new Error(text.trim() === '' ? 'it is empty' : `line ${line} is not valid JSON; correct it`)
  }
  if (root.type !== 'object') throw new Error('it does not contain a JSON object; correct it')
  return root
}
